"""How tournaments that have ended move between the store and the archive."""
