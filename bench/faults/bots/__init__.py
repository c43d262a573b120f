"""Bots of others play many games with each other while processes are killed.

`playing` is a process with many bots, `journal` what they write down, `run` opens the games and
inflicts the faults, `judging` compares events with journals: no game is stuck, no move is doubled
or lost. `python -m bench.faults.bots` starts it.
"""
