"""The store without HTTP: replay, takebacks, clocks, memory, the archive."""
