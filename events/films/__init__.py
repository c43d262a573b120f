"""Films of games that are over: which were asked for, and those that are made."""
