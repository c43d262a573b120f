"""`simulation/faults/`."""
