"""The counts of the explorer."""
