"""Accounts: a player's tokens, codes, blocks and merges. All of it is truth about people."""
