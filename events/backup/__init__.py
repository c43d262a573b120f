"""Backups: one file with everything that cannot be made again (`docs/operations.md`)."""
