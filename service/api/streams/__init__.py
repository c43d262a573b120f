"""One stream for many games, and what the lines of all streams are.

Reads games and writes nothing: what a stream of one game may show, this one may.
"""
