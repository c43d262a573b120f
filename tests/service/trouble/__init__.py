"""A store, an archive or a disk that fails, and events of a newer release."""
