"""What explains or proves a game, over HTTP."""
