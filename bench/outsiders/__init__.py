"""Bridges to engines of others: see README.md."""
