"""`simulation/checks/`."""
