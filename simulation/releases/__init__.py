"""Processes of another release in the world: its code, and who is of which release when."""
