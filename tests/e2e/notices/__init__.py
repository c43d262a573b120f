"""Notices that leave a running service, and who takes them."""
