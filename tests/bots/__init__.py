"""What holds for the bots of every game."""
