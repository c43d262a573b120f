"""Tournaments: their streams, what is done to them, and the step that moves them on."""
