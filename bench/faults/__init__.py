"""The fault harness: a real `serve` is played on while its parts die, hang and run out of room.

`bench.service.soak` runs it for as long as you like, `tests/faults/` for a minute.
"""
