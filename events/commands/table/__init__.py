"""How a game comes about: created, arranged, imported, branched, played again."""
