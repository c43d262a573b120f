"""Segments after a backup: what they hold, and what is put together of them."""
