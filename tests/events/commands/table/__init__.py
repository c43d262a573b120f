"""How a game comes about: arranged, imported, branched, played again."""
