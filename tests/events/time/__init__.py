"""Clocks against a reckoning of their own, outages, vacations."""
