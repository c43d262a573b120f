"""Bots for Caylus.

`outlook` says what a position promises, `reflexes` answers every question at once, `greedy` plays
each move out to the end of the round (the level `medium`); what they believe is in `weights`.
"""
