"""A stream: entries by rising ids, the groups that read it, and the nodes that hold it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from simulation.store.values.keyspace import TYPES

EntryId: TypeAlias = tuple[int, int]
Fields: TypeAlias = tuple[bytes, ...]
"""Names and values in turns."""

FIRST_ID: Final[EntryId] = (0, 0)
LAST_ID: Final[EntryId] = (2**64 - 1, 2**64 - 1)

NODE_ENTRIES: Final = 100
NODE_BYTES: Final = 4096
"""Bounds of a node (`stream-node-max-entries`, `stream-node-max-bytes`): `MAXLEN ~` removes whole
nodes, so what is left depends on them."""
TRIMMED_AT_ONCE: Final = 100 * NODE_ENTRIES


@dataclass(slots=True)
class Pending:
    """An entry that was delivered and is not acknowledged."""

    consumer: bytes
    at: int
    count: int


@dataclass(slots=True)
class Consumer:
    """A reader of a group: when it was last seen, and when it last got something."""

    seen: int
    active: int = -1


@dataclass(slots=True)
class Group:
    """The readers of a stream who share its entries."""

    last: EntryId
    pending: dict[EntryId, Pending] = field(default_factory=dict)
    consumers: dict[bytes, Consumer] = field(default_factory=dict)

    def copy(self) -> Group:
        """Return another group with the same state."""
        pending = {key: Pending(one.consumer, one.at, one.count) for key, one in self._items()}
        consumers = {name: Consumer(one.seen, one.active) for name, one in self.consumers.items()}
        return Group(self.last, pending, consumers)

    def _items(self) -> Iterator[tuple[EntryId, Pending]]:
        return iter(self.pending.items())

    def list_pending(self, first: EntryId = FIRST_ID) -> list[EntryId]:
        """Return the ids of pending entries in order, from one on."""
        return sorted(key for key in self.pending if key >= first)


@dataclass(slots=True)
class Node:
    """A piece of a stream: how many entries it has had, has, and how many bytes it takes."""

    first: EntryId
    names: Fields
    size: int
    made: int = 0
    alive: int = 0


class StreamValue:
    """Entries by rising ids."""

    __slots__ = ("added", "deleted", "entries", "groups", "ids", "last", "nodes")

    def __init__(self) -> None:
        self.ids: list[EntryId] = []
        self.entries: dict[EntryId, Fields] = {}
        self.last: EntryId = FIRST_ID
        self.added = 0
        self.deleted: EntryId = FIRST_ID
        """The greatest id that was deleted."""
        self.groups: dict[bytes, Group] = {}
        self.nodes: deque[Node] = deque()

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.ids)

    def __bool__(self) -> bool:
        """Return true: a stream without entries is a value as well."""
        return True

    def __repr__(self) -> str:
        """Say all that is in it."""
        return repr((self.entries, self.last, self.added, self.deleted, self.groups))

    def copy(self) -> StreamValue:
        """Return another stream with the same entries and groups."""
        made = StreamValue()
        made.ids, made.entries = self.ids.copy(), self.entries.copy()
        made.last, made.added, made.deleted = self.last, self.added, self.deleted
        made.groups = {name: group.copy() for name, group in self.groups.items()}
        made.nodes = deque(
            Node(one.first, one.names, one.size, one.made, one.alive) for one in self.nodes
        )
        return made

    # -- reading ----------------------------------------------------------------------------------

    def find_range(self, first: EntryId, last: EntryId) -> tuple[int, int]:
        """Return begin and end, as of a slice, of the ids in a range."""
        start = bisect_left(self.ids, first)
        return start, max(start, bisect_right(self.ids, last))

    # -- writing ----------------------------------------------------------------------------------

    def add(self, entry_id: EntryId, fields: Fields) -> None:
        """Add an entry, whose id is greater than the last one."""
        self._fill_node(entry_id, fields)
        self.ids.append(entry_id)
        self.entries[entry_id] = fields
        self.last = entry_id
        self.added += 1

    def delete(self, entry_id: EntryId) -> bool:
        """Delete an entry; return whether it was there."""
        if self.entries.pop(entry_id, None) is None:
            return False
        del self.ids[bisect_left(self.ids, entry_id)]
        self.deleted = max(self.deleted, entry_id)
        place = bisect_right(self.nodes, entry_id, key=_first) - 1
        self.nodes[place].alive -= 1
        if not self.nodes[place].alive:
            del self.nodes[place]
        return True

    def trim(self, most: int, exactly: bool, limit: int) -> int:
        """Remove the oldest entries until `most` are left; return how many were removed.

        Not exactly: whole nodes only, so that at least `most` are left; at most `limit` entries at
        once, 0 for any number.
        """
        removed = 0
        while self.nodes and len(self.ids) - removed > most:
            node = self.nodes[0]
            if limit and removed + node.alive > limit:
                break
            if len(self.ids) - removed - node.alive >= most:
                removed += node.alive
                self.nodes.popleft()
                continue
            if not exactly:
                break
            surplus = len(self.ids) - removed - most
            node.alive -= surplus
            removed += surplus
        for entry_id in self.ids[:removed]:
            del self.entries[entry_id]
        del self.ids[:removed]
        return removed

    def _fill_node(self, entry_id: EntryId, fields: Fields) -> None:
        """Put an entry into the last node, or into a new one."""
        node = self.nodes[-1] if self.nodes else None
        length = sum(map(len, fields))
        if node is None or node.size + length >= NODE_BYTES or node.made >= NODE_ENTRIES:
            node = Node(entry_id, fields[::2], _measure_master(fields[::2]))
            self.nodes.append(node)
        node.size += _measure_entry(node, entry_id, fields)
        node.made += 1
        node.alive += 1


TYPES[StreamValue] = "stream"


def _first(node: Node) -> EntryId:
    return node.first


# Bytes of what a node holds, as the server packs it: small numbers take little room.


def _measure_master(names: Sequence[bytes]) -> int:
    return 7 + 2 + 2 + _measure_number(len(names)) + sum(map(_measure_text, names)) + 2


def _measure_entry(node: Node, entry_id: EntryId, fields: Fields) -> int:
    names = fields[::2]
    size = 2 + _measure_number(entry_id[0] - node.first[0])
    size += _measure_number(_wrap(entry_id[1] - node.first[1]))
    count = len(names) + 3
    if names != node.names:
        size += _measure_number(len(names)) + sum(map(_measure_text, names))
        count += len(names) + 1
    return size + sum(map(_measure_text, fields[1::2])) + _measure_number(count)


def _wrap(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


def _measure_text(text: bytes) -> int:
    length = len(text)
    if 0 < length <= 20 and (text[0] in b"-0123456789") and _is_number(text):
        return _measure_number(int(text))
    if length < 64:
        return _with_length(1 + length)
    return _with_length((2 if length < 4096 else 5) + length)


def _is_number(text: bytes) -> bool:
    digits = text.removeprefix(b"-")
    if not digits.isdigit() or (digits[:1] == b"0" and text != b"0"):
        return False
    return -(2**63) <= int(text) < 2**63


_NUMBERS: Final = ((2**12, 2), (2**15, 3), (2**23, 4), (2**31, 5))


def _measure_number(number: int) -> int:
    if 0 <= number < 128:
        return 2
    for bound, size in _NUMBERS:
        if -bound <= number < bound:
            return size + 1
    return 10


def _with_length(size: int) -> int:
    for bound, more in ((128, 1), (16383, 2), (2097151, 3), (268435455, 4)):
        if size < bound:
            return size + more
    return size + 5
