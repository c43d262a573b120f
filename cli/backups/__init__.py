"""Backups: made, proven, shipped and restored (`docs/operating/backups.md`)."""
