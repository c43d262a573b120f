"""Profiles: what a finished game says, counted once, read again."""
