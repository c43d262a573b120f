"""The pictures of boards."""
