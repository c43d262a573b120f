"""What people, bots and timers may do to a game. A command never reads a projection to decide."""
