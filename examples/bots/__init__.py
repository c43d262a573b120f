"""Bots that play in a league and at a table: copy one of them to begin your own."""
