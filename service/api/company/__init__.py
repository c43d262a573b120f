"""Company: whom one follows, what they do, and how one finds players for a game."""
