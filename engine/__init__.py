"""The rules: pure Python, no I/O, no clock, no random source of its own.

`core` is the protocol that every game speaks, `games` the list of games.
"""
