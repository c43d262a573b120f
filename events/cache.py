"""The cache of the ledger: the least recently used entry goes first.

`cachetools` has the same, but it leaves the lock to the caller and takes longer than the ten lines
below, and a position is looked up for each move.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """At most `capacity` values by key. Thread-safe."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return the value of a key, None when it is not cached."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V, replaces: Callable[[V, V], bool] | None = None) -> None:
        """Cache a value, in place of the value that the key had.

        With `replaces` only if `replaces(earlier value, value)` is true.
        """
        with self._lock:
            earlier = self._values.get(key)
            if earlier is not None and replaces is not None and not replaces(earlier, value):
                return
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._capacity:
                self._values.popitem(last=False)
        # `earlier` lives until here: freeing a table takes a moment, and others wait for the lock.

    def drop(self, key: K) -> None:
        """Forget a key."""
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
