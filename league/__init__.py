"""The league: bots play pairs of games with the same draws, and the results are rated.

`players` finds the bots, `matches` plays games, `records` keeps them in a directory, `running`
plays what is missing there. `statistics` has the intervals and the sequential test, `ratings` the
numbers like Elo, `tables` and `chart` show them. `tuning` looks for better weights.
"""
