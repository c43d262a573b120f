"""Live events: everything, once, in order."""
