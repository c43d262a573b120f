"""What people agree on around a game, over HTTP."""
