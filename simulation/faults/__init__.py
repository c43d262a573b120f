"""What goes wrong: a schedule that the seed draws, and how each fault is inflicted."""
