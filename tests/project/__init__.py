"""What holds for the whole project: rooms, words, packages, libraries, public names."""
