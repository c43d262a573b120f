"""Fuzzing: readers of bytes from outside get hostile bytes, with the coverage as a guide.

`python -m simulation.fuzzing` runs it. A target is a reader, and what it may raise.
"""
