"""Bots for Caylus.

`outlook` says what a position promises, `reflexes` answers every question at once; what they
believe is in `weights`. `greedy` plays each move out to the end of the round (`medium`), `easy`
does so with mistakes, and `search` lets all seats play greedily (`hard`).
"""
