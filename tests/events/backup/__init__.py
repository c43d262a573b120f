"""Backups of a whole store, and restores elsewhere."""
