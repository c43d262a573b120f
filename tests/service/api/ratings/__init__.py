"""Ratings over HTTP."""
