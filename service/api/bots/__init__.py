"""Bots of others: their owners make and close them, they say what they accept, people find them."""
