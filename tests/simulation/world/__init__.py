"""`simulation/world/`."""
