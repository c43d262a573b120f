"""How games move between the store and the archive."""
