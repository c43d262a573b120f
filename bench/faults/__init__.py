"""The fault harness: a real `serve` is played on while its parts die, hang and run out of room.

`bench.soak` runs it for as long as somebody likes, `tests/faults/` for a minute.
"""
