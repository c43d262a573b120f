"""The HTTP API: views, what they share, the processes that run them, and their description."""
