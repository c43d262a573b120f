"""Players, tokens, codes, blocks, limits."""
