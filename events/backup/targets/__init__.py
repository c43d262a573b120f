"""Where backups go: a folder or a bucket, what they are called there, and which of them stay."""
