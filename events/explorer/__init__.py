"""The counts of the explorer: what was played at which question, how it ended, by rating.

`counting` is pure: it reads a finished game. `book` keeps the sums in a database, and `building`
fills it from the archive. All of it can be deleted and built again.
"""
