"""A game as its events tell it, also as earlier releases stored it."""
