"""Tournaments on a real `serve` over faults: bots enter, play, stay away and leave over HTTP.

What holds: every round closes, no entrant sits at two tables of a round, no result is lost or
counted twice, also where a backup is restored elsewhere in the middle.
"""
