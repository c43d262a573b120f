"""Puzzles that people play: which there are, who answered what, the ratings and days that follow.

The truth are the streams of the players and the results of the puzzles. What is known of a player
and of a puzzle is folded from them, and kept next to them until it is missing or behind.
"""
