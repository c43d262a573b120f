"""Streams: what they carry, who may read them, and when they end."""
