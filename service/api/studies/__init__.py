"""Studies: written, listed, read."""
