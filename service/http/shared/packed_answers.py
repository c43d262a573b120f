"""Compressed answers that a process caches."""

from __future__ import annotations

import gzip
from hashlib import sha256

from cartulary.events.model.cache import Cache

SMALLEST = 1024
"""Bytes below which compression saves nothing worth the time."""
LEVEL = 6
QUICK = 1
"""The level for what is sent once: half the CPU time for a tenth more bytes."""
CACHED = 16 * 1024 * 1024
"""Bytes of compressed answers that a process caches."""


class Packed:
    """Compressed bodies by what they hold; at most so many bytes. Thread-safe.

    The key is the content, so nothing in it becomes stale, and what does not change (a full page of
    events, a state of the past, the answers of a finished game) is compressed once.
    """

    def __init__(self, capacity: int) -> None:
        self._longest = capacity // 8
        self._bodies: Cache[bytes, bytes] = Cache(capacity, lambda body, _: len(body))

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all cached bodies."""
        return self._bodies.size

    def pack(self, body: bytes) -> bytes:
        """Return a body compressed."""
        key = sha256(body).digest()
        known = self._bodies.get(key)
        if known is not None:
            return known
        made = gzip.compress(body, LEVEL, mtime=0)
        if len(made) <= self._longest:
            self._bodies.put(key, made)
        return made
