"""Any game at any version: remembered positions, then the snapshot, then the stream."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from events.errors import NotFound
from events.ledger import Ledger, Record
from events.snapshots import EVERY, Snapshots
from events.table import Table, evolve, fold
from events.types import GAME_STARTED, Json


class Projector:
    """Rebuilds tables through the engine; remembers `capacity` of them; thread-safe."""

    def __init__(self, ledger: Ledger, snapshots: Snapshots, capacity: int = 512) -> None:
        self._ledger = ledger
        self._snapshots = snapshots
        self._capacity = capacity
        self._tables: OrderedDict[tuple[str, int], Table] = OrderedDict()
        self._newest: dict[str, int] = {}
        self._lock = Lock()

    def table(self, game_id: str, version: int | None = None) -> Table:
        """Return the game as of `version`, None: as it is now (one round trip when remembered).

        Raises `NotFound` for an unknown game or a version it does not have (below 1, or above
        the last), `BrokenHistory` for a stream that cannot be folded.
        """
        if version is None:
            return self.current(game_id)[0]
        table = self._recall(game_id, version)
        if table is not None:
            return table
        base = self._recall(game_id, version - 1) or self._snapshots.best(game_id, version)
        after = 0 if base is None else base.version
        events = self._ledger.events(game_id, after, max(version - after, 0)) if version > 0 else []
        return self._fold(game_id, base, events, version)

    def visible(self, game_id: str, player_id: str | None, version: int | None = None) -> Table:
        """`table`, but `NotFound` also when it is a private game of others."""
        table = self.table(game_id, version)
        if table.visibility == "private" and not self.table(game_id).visible_to(player_id):
            raise NotFound(f"there is no game {game_id}")
        return table

    def current(self, game_id: str, field: str | None = None) -> tuple[Table, Record | None]:
        """Return the game as it is now, and the record of an idempotency field, if any.

        One round trip when the game is remembered.
        """
        base = self.newest(game_id)
        if base is None:
            base = self._snapshots.best(game_id, self._ledger.version(game_id))
        events, record = self._ledger.tail(game_id, 0 if base is None else base.version, field)
        return self._fold(game_id, base, events), record

    def newest(self, game_id: str) -> Table | None:
        """Return the newest table remembered, which others may have left behind."""
        with self._lock:
            version = self._newest.get(game_id)
            if version is None:
                return None
            self._tables.move_to_end((game_id, version))
            return self._tables[game_id, version]

    def outline(self, game_id: str) -> Table:
        """Return the game before its first move (`state` is None), from the lifecycle events only.

        For who may see a game whose moves cannot be folded: seats never change after the start.
        """
        table: Table | None = None
        while page := self._ledger.events(game_id, 0 if table is None else table.version, EVERY):
            for event in page:
                if event["type"] == GAME_STARTED:
                    return table or evolve(game_id, None, event)
                table = evolve(game_id, table, event)
        if table is None:
            raise NotFound(f"there is no game {game_id}")
        return table

    def remember(self, table: Table) -> None:
        """Keep a table, in place of the one that was the newest of its game until now.

        Everybody plays on the newest; who wants an earlier one reads it from its snapshot. The
        least recently used table goes when there are too many.
        """
        key, left_behind = (table.id, table.version), None
        with self._lock:
            self._tables[key] = table
            self._tables.move_to_end(key)
            newest = self._newest.get(table.id, 0)
            if newest < table.version:
                left_behind = self._tables.pop((table.id, newest), None)
                self._newest[table.id] = table.version
            if len(self._tables) > self._capacity:
                self._evict()
        # A table takes a moment to be freed: not while others wait for the lock.
        del left_behind

    def forget(self) -> None:
        """Drop everything remembered."""
        with self._lock:
            self._tables.clear()
            self._newest.clear()

    def _evict(self) -> None:
        (game_id, version), _ = self._tables.popitem(last=False)
        if self._newest.get(game_id) == version:
            del self._newest[game_id]

    def _recall(self, game_id: str, version: int) -> Table | None:
        key = (game_id, version)
        with self._lock:
            table = self._tables.get(key)
            if table is not None:
                self._tables.move_to_end(key)
            return table

    def _fold(
        self, game_id: str, base: Table | None, events: list[Json], version: int | None = None
    ) -> Table:
        table = fold(game_id, base, events)
        if table is None or version not in (None, table.version):
            raise NotFound(
                f"there is no game {game_id}"
                if version is None
                else f"game {game_id} has no version {version}"
            )
        self.remember(table)
        return table
