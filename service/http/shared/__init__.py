"""What all requests of a process share: limits, gates and caches.

Each part is thread-safe. Nothing here writes an answer.
"""
