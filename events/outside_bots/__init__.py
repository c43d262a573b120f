"""Bots of others: the players of kind bot, what they accept, and which of them are connected."""
