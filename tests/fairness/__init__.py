"""Checks of finished games that share no code with the project, and games to check."""
