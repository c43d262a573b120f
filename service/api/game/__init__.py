"""A game and its events as they are stored: open, list, read, move.

Imports no other room of the API; every other may import this one.
"""
