"""Any game at any version: from the cache, else from a snapshot and the stream."""

from __future__ import annotations

from cartulary.events.cache import Cache
from cartulary.events.errors import NotFound
from cartulary.events.fold import evolve, fold
from cartulary.events.ledger import Ledger, Record, decode
from cartulary.events.offers import Rules
from cartulary.events.snapshots import EVERY, Snapshots
from cartulary.events.table import Table
from cartulary.events.types import GAME_STARTED

NEWEST, EARLIER = True, False

CAPACITY = 32 * 1024 * 1024
"""Bytes of tables that a process caches, unless set otherwise."""
BARE = 2500
"""Bytes of a table beside its state: seats, options, setup, times, hash."""
WEIGHED_EVERY = 16
"""Versions after which a table without a view is weighed again: that takes as long as a fold."""


class Projector:
    """Rebuilds tables through the engine and caches `capacity` bytes of tables. Thread-safe.

    Of each game it caches at most two tables: the newest, because everybody plays on it, and the
    table that was last asked for by its version, because a replay takes its next step from it.
    """

    def __init__(
        self, ledger: Ledger, snapshots: Snapshots, rules: Rules, capacity: int = CAPACITY
    ) -> None:
        self._ledger = ledger
        self._snapshots = snapshots
        self._rules = rules
        self._tables: Cache[tuple[str, bool], Table] = Cache(capacity, weigh)

    def table(self, game_id: str, version: int | None = None) -> Table:
        """Return the game as of `version`, None: as it is now (one round trip when cached).

        Raises `NotFound` for an unknown game or a version it does not have (below 1, or above
        the last), `BrokenHistory` for a stream that cannot be folded.
        """
        if version is None:
            return self.current(game_id)[0]
        table = self._look_back(game_id, version)
        if table is not None:
            return table
        base = self._look_back(game_id, version - 1) or self._snapshots.best(game_id, version)
        after = 0 if base is None else base.version
        events = self._ledger.events(game_id, after, max(version - after, 0)) if version > 0 else []
        table = fold(self._rules, game_id, base, events)
        if table is None or table.version != version:
            raise NotFound(f"game {game_id} has no version {version}")
        self._tables.put((game_id, EARLIER), table)
        return table

    def visible(self, game_id: str, player_id: str | None, version: int | None = None) -> Table:
        """`table`, but `NotFound` also when it is a private game of others."""
        table = self.table(game_id, version)
        if table.visibility == "private" and not self.table(game_id).visible_to(player_id):
            raise NotFound(f"there is no game {game_id}")
        return table

    def current(self, game_id: str, field: str | None = None) -> tuple[Table, Record | None]:
        """Return the game as it is now, and the record of an idempotency field, if any.

        One round trip when the game is cached.
        """
        base = self.newest(game_id)
        if base is None:
            base = self._snapshots.best(game_id, self._ledger.version(game_id))
        events, record = self._ledger.tail(game_id, 0 if base is None else base.version, field)
        table = fold(self._rules, game_id, base, events)
        if table is None:
            raise NotFound(f"there is no game {game_id}")
        self.remember(table)
        return table, record

    def newest(self, game_id: str) -> Table | None:
        """Return the newest cached table; the stream may have more events by now."""
        return self._tables.get((game_id, NEWEST))

    def outline(self, game_id: str) -> Table:
        """Return the game before its first move (`state` is None), from the lifecycle events only.

        For who may see a game whose moves cannot be folded: seats never change after the start.
        """
        table: Table | None = None
        while page := self._ledger.entries(game_id, 0 if table is None else table.version, EVERY):
            for entry in page:
                # Each entry is read on its own: what comes after the start may be unreadable.
                event = decode(game_id, *entry)
                if event["type"] == GAME_STARTED:
                    return table or evolve(self._rules, game_id, None, event)
                table = evolve(self._rules, game_id, table, event)
        if table is None:
            raise NotFound(f"there is no game {game_id}")
        return table

    def remember(self, table: Table) -> None:
        """Keep the table of a game as it is now, in place of an older one."""
        self._tables.put((table.id, NEWEST), table, _older)

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all cached tables, as estimated."""
        return self._tables.size

    def forget(self) -> None:
        """Drop all cached tables."""
        self._tables.clear()

    def _look_back(self, game_id: str, version: int) -> Table | None:
        """Return the table of a version, None when it is not cached."""
        for place in (NEWEST, EARLIER):
            table = self._tables.get((game_id, place))
            if table is not None and table.version == version:
                return table
        return None


def weigh(table: Table, before: int = 0) -> int:
    """Estimate the bytes of a table, from the length of its view.

    `before` is the estimate for an earlier version of the game: good enough for a table whose view
    nobody has asked for, for so many versions of the game.
    """
    play = table.play
    if play is None:
        return BARE
    if before and not play.view and table.life.version % WEIGHED_EVERY:
        return before
    return BARE + int(len(play.view_text()) * (1 + table.rules.weight))


def _older(known: Table, table: Table) -> bool:
    return known.life.version < table.life.version
