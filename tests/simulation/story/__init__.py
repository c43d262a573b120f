"""`simulation/story/`."""
