"""What changes in a store, shipped in small segments after a backup, and read back to any time."""
