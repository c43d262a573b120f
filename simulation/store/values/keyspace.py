"""One database: keys, their values, when they expire, and who waits for a change of them."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any, Final, Protocol, TypeAlias

from simulation.store.values.replies import Words, refuse_type


class HashValue(dict[bytes, bytes]):
    """Fields and values, in the order in which the fields came."""

    __slots__ = ()


class SetValue(dict[bytes, None]):
    """Members, in the order in which they came."""

    __slots__ = ()


class ListValue(deque[bytes]):
    """Items from left to right."""

    __slots__ = ()


class Expiries(dict[bytes, int]):
    """When keys expire, in ms; `queue` has the moments in order, those of other times as well."""

    __slots__ = ("queue",)

    def __init__(self) -> None:
        super().__init__()
        self.queue: list[tuple[int, bytes]] = []

    def __setitem__(self, key: bytes, at: int) -> None:
        """Let a key expire at a moment."""
        super().__setitem__(key, at)
        heappush(self.queue, (at, key))

    def find_first(self) -> tuple[int, bytes] | None:
        """Return the first moment at which a key expires, and the key."""
        while self.queue:
            at, key = self.queue[0]
            if self.get(key) == at:
                return at, key
            heappop(self.queue)
        return None


StoredValue: TypeAlias = Any
"""`bytes`, or one of the classes of values: `HashValue`, `SetValue`, `ListValue`, …"""

TYPES: Final[dict[type[Any], str]] = {
    bytes: "string",
    HashValue: "hash",
    SetValue: "set",
    ListValue: "list",
}
"""What TYPE says of a value; the modules of sorted sets and streams add theirs."""


class KeyWatcher(Protocol):
    """A session, as far as a database knows it."""

    is_dirty: bool


class Keyspace:
    """The keys of one database. `now` is the time of the command that runs, in ms."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.number, self.rng = number, rng
        self.now = 0
        self.data: dict[bytes, StoredValue] = {}
        self.expires = Expiries()
        self.serials: dict[bytes, int] = {}
        """When a key was made, as a number: the order of SCAN."""
        self.made = 0
        self.dirty = 0
        """Changes so far."""
        self.effect: list[bytes] | None = None
        """The words to log in place of those of the command that runs, where chance took part."""
        self.expired: list[bytes] = []
        """Keys that this command has found to be expired: they are logged as deleted."""
        self.keeps_expired = False
        """A replica hides what has expired, and waits for its master to delete it."""
        self.watchers: dict[bytes, list[KeyWatcher]] = {}
        self.waiting: dict[bytes, dict[Any, None]] = {}
        """Blocked sessions by key, the longest waiting first."""
        self.ready: dict[bytes, None] = {}
        self.changed: dict[bytes, None] | None = None
        """Keys that were changed since they were last told; None while no session asks."""

    # -- reading ----------------------------------------------------------------------------------

    def find(self, key: bytes) -> StoredValue:
        """Return the value of a key, None where it is missing or has expired."""
        if key in self.expires and self.expires[key] < self.now:
            self._expire(key)
            return None
        return self.data.get(key)

    def read_hash(self, key: bytes) -> HashValue | None:
        """Return a hash; raises `StoreRefusal` for another type."""
        value = self.find(key)
        if value is not None and type(value) is not HashValue:
            raise refuse_type()
        return value

    def read_set(self, key: bytes) -> SetValue | None:
        """Return a set; raises `StoreRefusal` for another type."""
        value = self.find(key)
        if value is not None and type(value) is not SetValue:
            raise refuse_type()
        return value

    def read_list(self, key: bytes) -> ListValue | None:
        """Return a list; raises `StoreRefusal` for another type."""
        value = self.find(key)
        if value is not None and type(value) is not ListValue:
            raise refuse_type()
        return value

    def read_string(self, key: bytes) -> bytes | None:
        """Return a string; raises `StoreRefusal` for another type."""
        value = self.find(key)
        if value is not None and type(value) is not bytes:
            raise refuse_type()
        return value

    def list_keys(self) -> Iterator[bytes]:
        """Yield the keys that have not expired, the oldest first."""
        for key in self.serials:
            if not (key in self.expires and self.expires[key] < self.now):
                yield key

    # -- writing ----------------------------------------------------------------------------------

    def put(self, key: bytes, value: StoredValue) -> None:
        """Set the value of a key and note the change; the time of its expiry stays."""
        if key not in self.data:
            self.made += 1
            self.serials[key] = self.made
        self.data[key] = value
        self.touch(key)

    def remove(self, key: bytes) -> None:
        """Delete a key that is there, and note the change."""
        del self.data[key]
        del self.serials[key]
        self.expires.pop(key, None)
        self.touch(key)

    def touch(self, key: bytes) -> None:
        """Note that the value of a key has changed."""
        self.dirty += 1
        if self.watchers and key in self.watchers:
            for session in self.watchers[key]:
                session.is_dirty = True
        if self.waiting and key in self.waiting:
            self.ready[key] = None
        if self.changed is not None:
            self.changed[key] = None

    def drop_if_empty(self, key: bytes, value: StoredValue) -> None:
        """Note a change of a collection, and delete the key with its last item."""
        if value:
            self.touch(key)
        else:
            self.remove(key)

    def clear(self) -> None:
        """Delete all keys; each of them has changed."""
        for key in list(self.data):
            self.remove(key)

    def expire_due(self) -> None:
        """Delete the keys whose time is over, in the order of these times."""
        if self.keeps_expired:
            return
        while (first := self.expires.find_first()) is not None and first[0] < self.now:
            self._expire(first[1])

    def _expire(self, key: bytes) -> None:
        if not self.keeps_expired:
            self.remove(key)
            self.dirty -= 1
            self.expired.append(key)

    def take_effects(self, words: Words, dirty: int) -> list[Words]:
        """Return what a command has changed, as commands: `dirty` were the changes before it."""
        effects: list[Words] = []
        if self.expired:
            effects.append((b"DEL", *self.expired))
            self.expired = []
        if self.dirty != dirty:
            effects.append(words if self.effect is None else self.effect)
        self.effect = None
        return effects
