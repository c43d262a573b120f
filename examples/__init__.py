"""Examples: a client in a shell script, and a game of your own (`docs/adding-a-game.md`)."""
