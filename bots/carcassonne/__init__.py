"""Bots for Carcassonne.

`chances` has what they believe, `outlook` says what a position promises, `turn` what each answer of
a decision changes (`ratings`, `placing`), `fitting` which open cells can still be filled. `easy`
misjudges, `greedy` looks one turn ahead (`medium`), `search` plays its best answers on (`hard`).
"""
