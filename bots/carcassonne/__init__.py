"""Bots for Carcassonne.

`chances` has what they believe, `outlook` says what a position promises, `turn` what each answer of
a decision changes (`ratings`, `placing`). `easy` misjudges, `greedy` looks one turn ahead
(`medium`), `search` plays its best answers on (`hard`, `expert`): `weights` has what a search
believes of the positions that it comes to, `fitting` which open cells can still be filled,
`winning` who wins. `styles` has more opponents for measuring, `reasons` says why a move is good.
"""
