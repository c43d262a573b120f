"""`simulation/known/`."""
