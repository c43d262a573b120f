"""Profiles: what finished games come to for a player. Shows nothing of a player who hides."""
