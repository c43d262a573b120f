"""What authors of clients read: the documentation, the reference, the problems.

Reads no game and writes nothing.
"""
