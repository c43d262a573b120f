"""`simulation/play/`."""
