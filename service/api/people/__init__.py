"""The caller's own account, devices, vacations and inbox.

Imports no other room of the API: it knows no game.
"""
