"""What wakes the readers of a stream. A lost message costs nothing: readers resume by version."""
