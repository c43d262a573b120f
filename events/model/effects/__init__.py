"""What each event does to a table: one function per event type, named in its row.

A function takes the table with the new version, time, position and status of its row, the event,
and the folding that it is part of. It returns a table with the parts that the event changes. It
changes nothing, except for the state that the folding owns (`Folding.own`).
"""
