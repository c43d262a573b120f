"""Ratings as a fold: pure numbers."""
