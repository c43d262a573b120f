"""Bots for Carcassonne.

`outlook` says what a position promises, `greedy` looks one turn ahead (the level `medium`).
"""
