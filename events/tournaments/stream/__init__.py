"""The streams of tournaments, what lists show of them, and when they are due."""
