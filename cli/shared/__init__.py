"""What several commands need: errors, progress, the data directory, addresses, the key."""
