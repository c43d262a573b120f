"""A cache bounded by bytes: the least recently used entry goes first.

`cachetools` has the same, but it leaves the lock to the caller and takes longer than the lines
below, and a position is looked up for each move.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

ENTRY = 250
"""Bytes of an entry besides its value: the key, its place in the order, the size."""


class Cache(Generic[K, V]):
    """Values by key in at most `capacity` bytes. Thread-safe.

    `weigh` estimates the bytes of a value; it gets the estimate for the earlier value of the key as
    well (0 without an earlier value), for a value that is costly to weigh.
    """

    def __init__(self, capacity: int, weigh: Callable[[V, int], int]) -> None:
        self._capacity, self._weigh = capacity, weigh
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self.size = 0
        """Bytes of all entries, as estimated."""

    def get(self, key: K) -> V | None:
        """Return the value of a key, None when it is not cached."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, replaces: Callable[[V, V], bool] | None = None) -> None:
        """Cache a value, in place of the value that the key had.

        With `replaces` only if `replaces(earlier value, value)` is true.
        """
        gone = []
        with self._lock:
            earlier, before = self._values.get(key, (None, 0))
            if earlier is not None and replaces is not None and not replaces(earlier, value):
                return
            after = self._weigh(value, before)
            self._values[key] = value, after
            self._values.move_to_end(key)
            self.size += after + ENTRY if earlier is None else after - before
            while self.size > self._capacity:
                dropped = self._values.popitem(last=False)[1]
                self.size -= dropped[1] + ENTRY
                gone.append(dropped)
        # What goes lives until here: freeing a table takes a moment, and others wait for the lock.

    def drop(self, key: K) -> None:
        """Forget a key."""
        with self._lock:
            found = self._values.pop(key, None)
            if found is not None:
                self.size -= found[1] + ENTRY

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
            self.size = 0
