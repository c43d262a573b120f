"""Backups to targets, as an operator makes them."""
