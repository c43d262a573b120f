"""What people, bots and timers may do to a game."""
