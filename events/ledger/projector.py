"""Any game at any version: from the cache, else from a snapshot and the stream."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redis.exceptions import RedisError

from cartulary.events.ledger.collection import PausedCollection
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.snapshots import EVERY, Snapshots
from cartulary.events.ledger.streams import IdempotencyRecord, decode, decode_for_fold, read_version
from cartulary.events.model.cache import Cache
from cartulary.events.model.chain import hash_or_none, hash_stored
from cartulary.events.model.effects.fold import evolve, fold
from cartulary.events.model.effects.folding import Earlier, NothingEarlier
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.types import GAME_STARTED, Entries, Json
from cartulary.events.server.restarts import watch_restarts

NEWEST, EARLIER = True, False

_new_tuple = tuple.__new__
"""Makes a named tuple in half the time of its own constructor."""

CAPACITY = 32 * 1024 * 1024
"""Bytes of tables that a process caches, unless set otherwise."""
BARE = 2500
"""Bytes of a table besides its state: seats, options, setup, times, hash."""
WEIGHED_EVERY = 16
"""Versions after which a table without a view is weighed again: that takes as long as a fold."""

log = logging.getLogger(__name__)


class Projector:
    """Rebuilds tables through the engine and caches `capacity` bytes of tables. Thread-safe.

    Of each game it caches at most two tables: the newest, because everybody plays on it, and the
    table that was last asked for by its version, because a replay takes its next step from it.
    """

    def __init__(
        self, ledger: Ledger, snapshots: Snapshots, rules: Rules, capacity: int = CAPACITY
    ) -> None:
        self._ledger = ledger
        self._restarts = watch_restarts(ledger.redis)
        self._is_watching = False
        """Whether this process has begun to watch: it does so before it caches its first table."""
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
        self._drop_after_restart()
        table = self._look_back(game_id, version)
        if table is None:
            table = self._rebuild(game_id, version)
            self._tables.put((game_id, EARLIER), table)
        return self.unseal(table)

    def unseal(self, table: Table) -> Table:
        """Return a sealed table as it is now: no event of the game says that its round is closed.

        Any other table is returned as it is. Raises `RedisError`.
        """
        if not table.sealed:
            return table
        assert table.fair is not None
        assert table.fair.round is not None
        closing = self._ledger.closed_rounds.find(table.fair.round)
        return table if closing is None else table._replace(opened_at=closing.at)

    def _drop_after_restart(self) -> None:
        """Drop everything after a restart of the store, which may have lost what is cached."""
        if self._restarts.notice():
            self.forget()

    def _rebuild(self, game_id: str, version: int) -> Table:
        for base in self._list_bases(game_id, self._look_back(game_id, version - 1), version):
            after = 0 if base is None else base.version - 1
            entries = self._ledger.entries(game_id, after, version - after)
            table = self._go_on(game_id, base, entries)
            if table is not None and table.version == version:
                return table
            if table is not None:
                break
        raise NotFound(f"game {game_id} has no version {version}")

    def visible(self, game_id: str, player_id: str | None, version: int | None = None) -> Table:
        """`table`, but `NotFound` also when it is a private game of others."""
        try:
            table = self.table(game_id, version)
        except NotFound:
            # Only who may see the game learns that it has no such version.
            if version is not None:
                self.visible(game_id, player_id)
            raise
        except BrokenHistory:
            if self._ledger.archive.may_show(game_id, player_id):
                raise
            raise NotFound(f"there is no game {game_id}") from None
        if table.visibility == "private" and not self.table(game_id).visible_to(player_id):
            raise NotFound(f"there is no game {game_id}")
        return table

    def current(
        self, game_id: str, field: str | None = None
    ) -> tuple[Table, IdempotencyRecord | None]:
        """Return the game as it is now, and the record of an idempotency field, if any.

        One round trip when the game is cached.
        """
        for base in self._list_bases(game_id, self.newest(game_id)):
            after = 0 if base is None else base.version - 1
            entries, record = self._ledger.tail(game_id, after, field)
            table = self._go_on(game_id, base, entries)
            if table is not None:
                table = self.unseal(table)
                self.remember(table)
                return table, record
        raise NotFound(f"there is no game {game_id}")

    def _list_bases(
        self, game_id: str, cached: Table | None, version: int | None = None
    ) -> Iterator[Table | None]:
        """Yield tables to go on from, the best first: cached, snapshots, None (the first event).

        Ask for the next table when the store has lost the end of the one before.
        """
        if cached is not None:
            yield cached
        newest = self._ledger.version(game_id) if version is None else version
        while (snapshot := self._snapshots.best(game_id, newest)) is not None:
            yield snapshot
            newest = snapshot.version - 1
        yield None

    def _go_on(self, game_id: str, base: Table | None, entries: Entries) -> Table | None:
        """Return the table after entries, which begin with the last event of `base`.

        None when there is nothing, or when the store no longer has that event: everything that this
        process remembers of the game is then dropped.
        """
        if base is not None:
            if not _is_stored(base, entries):
                log.warning("the store has lost version %d of game %s", base.version, game_id)
                self._drop(base)
                return None
            entries = entries[1:]
        return self.fold_entries(base, game_id, entries, self.earlier(game_id)) if entries else base

    def fold_entries(
        self, base: Table | None, game_id: str, entries: Entries, earlier: Earlier | None
    ) -> Table:
        """Return the table after entries, at least one, which follow on `base`; caches nothing.

        Raises `BrokenHistory`, `UnknownEvent`; `NothingEarlier` for a takeback to before `base`,
        where `earlier` is None.
        """
        with PausedCollection():
            events = decode_for_fold(game_id, entries)
            if base is not None and events[0].get("prev", base.life.head) != base.life.head:
                detail = f"it does not name the event of version {base.version} before it"
                raise BrokenHistory(game_id, base.version + 1, "chain", detail)
            head = hash_stored(entries[-1][1][b"event"])
            table = fold(self._rules, game_id, base, events, head, earlier)
        assert table is not None
        return table

    def follow(self, base: Table, entries: Entries) -> bool:
        """Cache the table after entries, which begin with the last event of `base`.

        For an event loop: it asks the store for nothing. False when the store does not have that
        event, nothing follows it, or a takeback goes back before it. Raises `BrokenHistory`,
        `UnknownEvent`.
        """
        if not _is_stored(base, entries) or len(entries) < 2:
            return False
        try:
            self.remember(self.fold_entries(base, base.id, entries[1:], None))
        except NothingEarlier:
            return False
        return True

    def earlier(self, game_id: str) -> Earlier:
        """Return what came before the events of a game, for a fold that goes on from a table."""
        # As a tuple, because each draft of a move gets it, and hardly any asks it.
        return _new_tuple(StoredBefore, (self, self._ledger, game_id))

    def _drop(self, lost: Table) -> None:
        """Drop what is remembered of a game: the next table is made from what is stored."""
        for place in (NEWEST, EARLIER):
            self._tables.drop((lost.id, place))
        try:
            self._snapshots.discard(lost.id, lost.version)
        except RedisError as error:
            # It is passed over each time it is read; reading goes on while the disk is full.
            log.warning("a snapshot of a lost version stays: %s", error)

    def newest(self, game_id: str) -> Table | None:
        """Return the newest cached table; the stream may have more events by now."""
        return self._tables.get((game_id, NEWEST))

    def outline(self, game_id: str) -> Table:
        """Return the game before its first move (`state` is None), from the lifecycle events only.

        For who may see a game whose moves cannot be folded: those who did at the start.
        """
        table: Table | None = None
        # Each entry is read on its own: what comes after the start may be unreadable.
        for event in self._decode_all(game_id):
            if table is not None and event["type"] == GAME_STARTED:
                break
            table = evolve(self._rules, game_id, table, event)
        if table is None:
            raise NotFound(f"there is no game {game_id}")
        return self.unseal(table)

    def _decode_all(self, game_id: str) -> Iterator[Json]:
        """Yield the events of a game, some of which are read at once."""
        version = 0
        while page := self._ledger.entries(game_id, version, EVERY):
            yield from (decode(game_id, *entry) for entry in page)
            version += len(page)

    def remember(self, table: Table) -> None:
        """Keep the table of a game as it is now, in place of an older one."""
        if not self._is_watching:
            self._is_watching = True
            self._drop_after_restart()
        self._tables.put((table.id, NEWEST), table, _is_older)

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all cached tables, as estimated."""
        return self._tables.size

    def forget(self) -> None:
        """Drop all cached tables."""
        self._tables.clear()

    def close(self) -> None:
        """End the connection by which a restart of the store is noticed."""
        self._restarts.close()

    def _look_back(self, game_id: str, version: int) -> Table | None:
        """Return the table of a version, None when it is not cached."""
        for place in (NEWEST, EARLIER):
            table = self._tables.get((game_id, place))
            if table is not None and table.version == version:
                return table
        return None


class StoredBefore(NamedTuple):
    """What came before the events of a game (`effects.Earlier`), as it is stored."""

    projector: Projector
    ledger: Ledger
    game_id: str

    def table(self, version: int) -> Table:
        """Return the table of an earlier version."""
        return self.projector.table(self.game_id, version)

    def chance(self, moves: Sequence[int]) -> list[str]:
        """Return the outcomes of the moves of these versions, in order."""
        events = self.ledger.events(self.game_id, moves[0] - 1, moves[-1] - moves[0] + 1)
        wanted = set(moves)
        return [one for event in events if event["version"] in wanted for one in event["chance"]]


def weigh(table: Table, before: int = 0) -> int:
    """Estimate the bytes of a table, from the length of its view.

    `before` is the estimate for an earlier version of the game: good enough for a table whose view
    no caller has asked for, for so many versions of the game.
    """
    play = table.play
    if play is None:
        return BARE
    if before and not play.view and table.life.version % WEIGHED_EVERY:
        return before
    view = play.view[0] if play.view else play.view_text()
    return BARE + int(len(view) * (1 + table.rules.weight))


def _is_stored(base: Table, entries: Entries) -> bool:
    """Return whether the first of these entries is the last event of a table."""
    if not entries or read_version(entries[0][0]) != base.version:
        return False
    return hash_or_none(entries[0][1].get(b"event", b"")) == base.head


def _is_older(known: Table, table: Table) -> bool:
    return known.life.version < table.life.version
