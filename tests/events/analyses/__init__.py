"""Analyses of finished games: asked for once, stored, kept for a while."""
