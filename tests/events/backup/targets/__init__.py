"""Where backups go."""
