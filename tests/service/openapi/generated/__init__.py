"""Clients that generators make from the open description read later releases, and play."""
