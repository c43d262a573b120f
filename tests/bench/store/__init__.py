"""Benches of what is stored."""
