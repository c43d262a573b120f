"""Puzzles: positions of games in which one idea is much better than all others, and why.

Pure: a puzzle follows from a game, a seed and the bots. Only `packs` reads files, those of this
room. docs/puzzles.md has the rules by which positions are chosen.
"""
