"""Carcassonne, base game of 72 tiles, 2005 edition.

`tiles` is the tile table, `laid` what follows from it for each rotation, `board` the cells,
`features` who is connected to whom, `scoring` what a feature is worth, `position` everything on
the table, `state` the turns, `explain` why a move is illegal, `game` the entry of the list of
games. Sections cited are those of the Carcassonne rules.
"""
