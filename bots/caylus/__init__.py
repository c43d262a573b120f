"""Bots for Caylus.

`outlook` says what a position promises, `reflexes` answers every question at once, `greedy` plays
each move out to the end of the round; what they believe is in `weights`.
"""
