"""One stream for many games, over HTTP."""
