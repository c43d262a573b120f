"""What of a position matters for its question."""
