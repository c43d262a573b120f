"""Bots of others in the client: they are invited from a list, play, decline, and have an owner."""
