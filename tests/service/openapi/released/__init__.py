"""The check against the last release finds what breaks a client, and nothing else."""
