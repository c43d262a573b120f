"""The truth about people: players, tokens, codes, blocks, limits. Backed up, not rebuilt."""
