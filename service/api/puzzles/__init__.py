"""Puzzles: the one of the day, the next one, an answer, what follows from it.

Before the answer of a caller nothing here shows what follows from it.
"""
