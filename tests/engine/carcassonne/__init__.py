"""Carcassonne against its rules, another engine's cases and a slow oracle."""
