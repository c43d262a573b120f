"""Films of games that are over: made in a process of the lowest priority, one at a time."""
