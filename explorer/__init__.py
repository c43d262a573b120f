"""The explorer of positions: what of a position matters for its question, and the keys of it. Pure.

`docs/explorer.md` says which part of `State.identity()` is in a key, and why.
"""
