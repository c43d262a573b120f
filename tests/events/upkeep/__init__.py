"""Repairs and checks of a whole store."""
