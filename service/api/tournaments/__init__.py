"""Tournaments: announce, enter, watch; a view calls `events` and answers."""
