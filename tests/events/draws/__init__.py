"""Fair draws: committed, kept secret, revealed, proved."""
