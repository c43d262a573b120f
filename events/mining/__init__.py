"""Mining: which archived games may become puzzles, and a miner that goes through them in slices."""
