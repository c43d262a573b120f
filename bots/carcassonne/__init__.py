"""Bots for Carcassonne.

`chances` has what they believe, `outlook` says what a position promises, `turn` what each answer of
a decision changes (`ratings`, `placing`); `greedy` looks one turn ahead (the level `medium`).
"""
