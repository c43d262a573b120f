"""Many pieces of a game in one picture."""
