"""A game and its events over HTTP."""
