"""Profiles: what finished games come to for each player, made from the events.

`finding`, `turns` and `tallies` are pure: they read a game and add up figures. `counting` counts
each game once, and `reading` reads what was counted.
"""
