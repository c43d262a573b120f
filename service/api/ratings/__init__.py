"""Ratings: of a player, of a game, and the leaderboards. Moves no rating."""
