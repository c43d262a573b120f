"""The fast ways of a move answer as Flask does."""
