"""Carcassonne, base game of 72 tiles, 2005 edition.

`tiles` is the tile table, `laid` what follows from it for each rotation, `board` the cells,
`features` who is connected to whom, `scoring` what it is worth, `state` one position, `game` the
entry of the list of games. Sections cited are those of the Carcassonne rules.
"""
