"""Streams are read, folded and appended to, whole, once and in order."""
