"""Several servers that share the keys by slots, and send clients to one another."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from simulation.store.serving.bare_server import BareServer
from simulation.store.values.replies import StoreRefusal, Words
from simulation.store.values.session import ModelSession
from simulation.store.values.snapshot import copy_value

SLOTS: Final = 16384

SlotRange: TypeAlias = tuple[int, int, BareServer]
"""The first slot, the last one, and who has them."""

_ANYWHERE: Final = "Script attempted to access a non local key in a cluster node"
_APART: Final = "Script attempted to access keys that do not hash to the same slot"


@lru_cache(maxsize=65536)
def find_slot(key: bytes) -> int:
    """Return the slot of a key: that of its hash tag, where it has one."""
    begin = key.find(b"{")
    if begin >= 0:
        end = key.find(b"}", begin + 1)
        if end > begin + 1:
            key = key[begin + 1 : end]
    return crc_hqx(key, 0) % SLOTS


class ModelCluster:
    """The nodes, and who has which slot.

    Each node goes by what it knows itself: `cut_off` leaves a node with what it knew, `join` lets
    it learn what the others know.
    """

    def __init__(self, masters: Sequence[BareServer]) -> None:
        """Share the slots among masters, in ranges of the same size."""
        self.nodes: list[BareServer] = []
        self._owners: list[BareServer | None] = [None] * SLOTS
        self._ranges: list[SlotRange] | None = None
        """What `list_ranges` makes of the owners, None when they have changed since."""
        self._views: dict[BareServer, list[BareServer | None]] = {}
        self.moving: dict[int, tuple[BareServer, BareServer]] = {}
        """Slots that are being moved: from which node to which."""
        self.down: set[BareServer] = set()
        """Nodes that take the cluster for down."""
        self.failed: set[BareServer] = set()
        """Nodes that the others take for failed."""
        self.epoch = 0
        for number, node in enumerate(masters):
            self.add(node)
            first = number * SLOTS // len(masters)
            self.assign(range(first, (number + 1) * SLOTS // len(masters)), node)

    # -- what happens to it -----------------------------------------------------------------------

    def add(self, node: BareServer) -> None:
        """Let a node take part."""
        self.nodes.append(node)
        node.cluster = self

    def assign(self, slots: Iterable[int], node: BareServer | None) -> None:
        """Give slots to a node; None: no node has them."""
        self.epoch += 1
        self._ranges = None
        for slot in slots:
            self._owners[slot] = node
            self.moving.pop(slot, None)

    def cut_off(self, node: BareServer) -> None:
        """Leave a node with what it knows now about the slots."""
        self._views[node] = self._owners.copy()

    def join(self, node: BareServer) -> None:
        """Let a node that was cut off learn who has the slots."""
        self._views.pop(node, None)
        self.down.discard(node)

    def fail_over(self, replica: BareServer) -> None:
        """Let a replica take the slots of its master, with what it has of them."""
        master = replica.master
        slots = [slot for slot, owner in enumerate(self._owners) if owner is master]
        replica.promote()
        self.assign(slots, replica)

    def begin_move(self, slot: int, target: BareServer) -> None:
        """Begin to move a slot: from now on keys that the source lacks are asked of the target."""
        source = self._owners[slot]
        if source is None:
            raise ValueError("no node has the slot")
        self.moving[slot] = (source, target)

    def move_keys(self, slot: int, count: int | None = None) -> int:
        """Move the next keys of a slot, all by default; return how many were moved."""
        source, target = self.moving[slot]
        here, there = source.open_space(0), target.open_space(0)
        keys = [key for key in here.serials if find_slot(key) == slot][:count]
        for key in keys:
            at = here.expires.get(key)
            there.put(key, copy_value(here.data[key]))
            if at is not None:
                there.expires[key] = at
            source.run_data(0, [b"DEL", key])
        source.write_record(None)
        target.keep_as_base()
        return len(keys)

    def end_move(self, slot: int) -> None:
        """Give the slot to the node that has got its keys."""
        self.assign([slot], self.moving[slot][1])

    # -- what nodes say ---------------------------------------------------------------------------

    def find_owner(self, node: BareServer, slot: int) -> BareServer | None:
        """Return who has a slot, as a node knows it."""
        return self._views.get(node, self._owners)[slot]

    def list_ranges(self, node: BareServer) -> list[SlotRange]:
        """Return the ranges of slots with their masters, as a node knows them."""
        if node in self._views:
            return _join_slots(self._views[node])
        if self._ranges is None:
            self._ranges = _join_slots(self._owners)
        return self._ranges

    # -- where a command belongs ------------------------------------------------------------------

    def check_slots(
        self, node: BareServer, session: ModelSession, commands: Sequence[Words]
    ) -> None:
        """Raise `StoreRefusal` where another node is to be asked, or no node can be."""
        keys: list[bytes] = []
        only_reads = True
        for words in commands:
            command = node.commands.get(words[0].upper())
            if command is not None and command.keys is not None:
                keys += command.keys(words)
                scripted = words[0].upper() in (b"EVAL", b"EVALSHA")
                only_reads = only_reads and "w" not in command.flags and not scripted
        if not keys:
            return
        slots = {find_slot(key) for key in keys}
        if len(slots) > 1:
            raise StoreRefusal("Keys in request don't hash to the same slot", "CROSSSLOT")
        slot = slots.pop()
        owner = self.find_owner(node, slot)
        if owner is None:
            raise StoreRefusal("Hash slot not served", "CLUSTERDOWN")
        if node in self.down:
            raise StoreRefusal("The cluster is down", "CLUSTERDOWN")
        self._check_owner(node, session, slot, owner, keys, only_reads)

    def _check_owner(
        self,
        node: BareServer,
        session: ModelSession,
        slot: int,
        owner: BareServer,
        keys: Sequence[bytes],
        only_reads: bool,
    ) -> None:
        source, target = self.moving.get(slot, (None, None))
        space = node.open_space(session.database)
        missing = sum(space.find(key) is None for key in keys)
        if node is owner and node is source and target is not None and missing:
            if missing < len(set(keys)):
                raise StoreRefusal("Multiple keys request during rehashing of slot", "TRYAGAIN")
            raise StoreRefusal(f"{slot} {_write_address(target)}", "ASK")
        if node is target and session.is_asking:
            if missing and len(set(keys)) > 1:
                raise StoreRefusal("Multiple keys request during rehashing of slot", "TRYAGAIN")
            return
        if node is owner or (node.master is owner and session.is_reader and only_reads):
            return
        raise StoreRefusal(f"{slot} {_write_address(owner)}", "MOVED")

    def find_common_slot(self, keys: Sequence[bytes]) -> int | None:
        """Return the slot of keys that have passed `check_slots`."""
        return find_slot(keys[0]) if keys else None

    def check_script(self, node: BareServer, slot: int | None, keys: Sequence[bytes]) -> int | None:
        """Return the slot of a script after keys that it was not given; raises `StoreRefusal`."""
        for key in keys:
            found = find_slot(key)
            owner = self.find_owner(node, found)
            if owner is not node and node.master is not owner:
                raise StoreRefusal(_ANYWHERE)
            if slot is not None and found != slot:
                raise StoreRefusal(_APART)
            slot = found
        return slot


def _join_slots(owners: Sequence[BareServer | None]) -> list[SlotRange]:
    """Return the ranges of slots that follow one another and have the same owner."""
    ranges: list[SlotRange] = []
    for owner, slots in groupby(range(len(owners)), owners.__getitem__):
        first, *rest = slots
        if owner is not None:
            ranges.append((first, rest[-1] if rest else first, owner))
    return ranges


def _write_address(node: BareServer) -> str:
    return f"{node.host}:{node.port}"
