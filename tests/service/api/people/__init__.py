"""Accounts, devices, vacations and inbox over HTTP."""
