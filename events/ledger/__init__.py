"""The streams of the games: read, fold, append. Nothing else appends."""
