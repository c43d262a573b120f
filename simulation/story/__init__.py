"""A run as people read it: its figures, its story, and the fewest faults that still lead there."""
