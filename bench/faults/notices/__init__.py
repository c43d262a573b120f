"""Faults of notices: who receives them, what harms them, and how they are reckoned."""
