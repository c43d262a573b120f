"""Whether a stored game is what its moves and draws make of it."""
