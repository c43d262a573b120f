"""The ledger and all that happens to a game."""
