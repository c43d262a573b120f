"""Tic-tac-toe: the example of `docs/adding-a-game.md`."""
