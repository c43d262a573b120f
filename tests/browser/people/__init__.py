"""People at a table in a real browser: names, notes, own goods, the way back to one's games."""
