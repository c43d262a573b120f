"""What each background process needs. Nothing here knows a queue of games."""
