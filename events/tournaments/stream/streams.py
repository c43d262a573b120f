"""The streams of tournaments: read, fold, append. The rules are those of a game's stream.

A reader looks into the store, then into the archive, then once more into the store: in between the
tournament may have been brought back. What is in the store counts. Only a tournament that has ended
is archived, and no event follows its end, so nothing is ever appended to an archived one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.archive.reading import select_entries
from cartulary.events.archive.side_keys import IDEMPOTENCY
from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.masks import Masks
from cartulary.events.ledger.stored_events import decode_entry
from cartulary.events.ledger.streams import MOST, IdempotencyRecord
from cartulary.events.live.feeds import Feed, StreamEntry
from cartulary.events.model.cache import Cache
from cartulary.events.model.chain import hash_stored
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, Misfit
from cartulary.events.model.types import Entries, Json
from cartulary.events.server import keys
from cartulary.events.server.servers import choose_tournament_keys
from cartulary.events.tournaments.stream.archived import ArchivedTournaments
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.tournaments.events import TOURNAMENT_KINDS, ends_stream
from cartulary.tournaments.fold import evolve
from cartulary.tournaments.state import Tournament

CAPACITY: Final = 16 * 1024 * 1024
"""Bytes of folded tournaments that a process caches."""

WEIGHTS: Final = (4_000, 600, 300)
"""Bytes of a folded tournament: of itself, for each entrant, for each table."""


MISSING: Final = "there is no tournament with this id"


class KnownTournament(NamedTuple):
    """A folded tournament, with its id and the hash of its last event."""

    id: str
    tournament: Tournament
    head: str

    @property
    def version(self) -> int:
        """The number of its events."""
        return self.tournament.version


class TournamentStreams:
    """The streams of all tournaments. Thread-safe. Every method raises `RedisError`.

    What reads a tournament raises `ArchiveError` while the archive, which may have it, does not
    answer, and `BrokenHistory` for a tournament that is damaged there.
    """

    def __init__(
        self,
        redis: Redis,
        registry: Redis,
        masks: Masks,
        archived: ArchivedTournaments,
        replicas_within_ms: int = 0,
    ) -> None:
        self._redis, self.masks, self.archived = redis, masks, archived
        self._appends = Ledger(
            redis,
            registry,
            replicas_within_ms=replicas_within_ms,
            name_append=choose_tournament_keys(redis),
        )
        self._cache: Cache[str, KnownTournament] = Cache(CAPACITY, _weigh)

    # -- reading ----------------------------------------------------------------------------------

    def events(self, tournament_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return the events with versions above `after`, at most `limit`, without their hashes.

        Raises `UnknownEvent` for what a newer release has written, `BrokenHistory`.
        """
        entries = self._read(tournament_id, after, limit)
        return [decode_entry(TOURNAMENT_KINDS, tournament_id, *entry) for entry in entries]

    def deliver(self, tournament_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return what `events` returns, each with its `hash`; deleted names are masked."""
        self.masks.look()
        entries = self._read(tournament_id, after, limit)
        return [self.show(tournament_id, *entry) for entry in entries]

    def show(self, tournament_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
        """Return a stored entry as it is delivered."""
        event = decode_entry(TOURNAMENT_KINDS, tournament_id, entry_id, fields)
        event["hash"] = hash_stored(fields[b"event"])
        return self.mask_event(event)

    def mask_event(self, event: Json) -> Json:
        """Return an event as it is delivered: `masked` if it names a deleted player."""
        deleted = self.masks.deleted
        named = [name for name in _NAMED if name in event and event[name]["id"] in deleted]
        if not named:
            return event
        masked: Json = {name: self.masks.mask_player(event[name]) for name in named}
        return {**event, **masked, "masked": True}

    def _read(self, tournament_id: str, after: int, limit: int | None) -> Entries:
        if limit is not None and limit < 1:
            return []
        start = min(max(after, 0), MOST)
        found = self._ask(tournament_id, start, limit)
        if found or not self.archived.is_set:
            return found
        return self._find_archived(tournament_id, start)[:limit]

    def _ask(self, tournament_id: str, after: int, limit: int | None = None) -> Entries:
        """Return what the store has of a stream above a version, at most `limit` entries."""
        key = keys.tournament(tournament_id)
        found: Any = self._redis.xrange(key, f"({after}-0", "+", limit)
        return list(found)

    def _find_archived(self, tournament_id: str, after: int) -> Entries:
        """Return the entries above `after` of a tournament that shows none in the store.

        The store has it and nothing above `after`, or the archive has it, or it was brought back in
        the meantime.
        """
        if after and self.is_stored(tournament_id):
            return []
        archived = self.archived.entries(tournament_id)
        return self._ask(tournament_id, after) if archived is None else archived[after:]

    def is_stored(self, tournament_id: str) -> bool:
        """Return whether the store has a tournament; else the archive may have it."""
        return bool(self._redis.exists(keys.tournament(tournament_id)))

    def find(self, tournament_id: str) -> KnownTournament | None:
        """Return a tournament as it is now, None for an unknown one.

        Raises `UnknownEvent`, `BrokenHistory`.
        """
        known = self._cache.get(tournament_id)
        if known is not None:
            entries = self._read(tournament_id, known.version - 1, None)
            if entries and hash_stored(entries[0][1][b"event"]) == known.head:
                return self._fold(tournament_id, known, entries[1:])
            self._cache.drop(tournament_id)  # the store has lost what this process remembers
        return self._fold(tournament_id, None, self._read(tournament_id, 0, None))

    def _fold(
        self, tournament_id: str, known: KnownTournament | None, entries: Entries
    ) -> KnownTournament | None:
        if not entries:
            return known
        before = None if known is None else known.tournament
        tournament = fold_entries(tournament_id, before, entries)
        found = KnownTournament(tournament_id, tournament, hash_stored(entries[-1][1][b"event"]))
        self._remember(found)
        return found

    def _remember(self, known: KnownTournament) -> None:
        self._cache.put(known.id, known, lambda before, after: after.version >= before.version)

    def read(self, tournament_id: str) -> KnownTournament:
        """Return a tournament as it is now; raises `NotFound`, and what `find` raises."""
        found = self.find(tournament_id)
        if found is None:
            raise NotFound(MISSING)
        return found

    @contextmanager
    def hiding_damage(
        self, tournament_id: str, player_id: str | None, sees_all: bool = False
    ) -> Iterator[None]:
        """Raise `NotFound` for a damaged tournament that a player may not know of, as for others.

        The row of an archived one says whom it is for; of any other nothing is known. `sees_all` is
        for operators.
        """
        try:
            yield
        except BrokenHistory:
            if sees_all or self.archived.may_show(tournament_id, player_id):
                raise
            raise NotFound(MISSING) from None

    def at(self, tournament_id: str, version: int) -> Tournament | None:
        """Return a tournament as it was after an event, None before its first event."""
        tournament: Tournament | None = None
        for event in self.events(tournament_id, 0, version):
            tournament = _follow(tournament_id, tournament, event)
        return tournament

    def record(self, tournament_id: str, field: str) -> IdempotencyRecord | None:
        """Return the record of an idempotency field, if there is one."""
        found: Any = self._redis.hget(keys.idempotency(tournament_id), field)
        if found is None and self.archived.is_set and not self.is_stored(tournament_id):
            carried = self.archived.read_side_keys(tournament_id)
            if carried is not None:
                found = carried.read_hash(IDEMPOTENCY).get(field.encode())
            else:  # it may have been brought back in the meantime
                found = self._redis.hget(keys.idempotency(tournament_id), field)
        return None if found is None else IdempotencyRecord.parse(found)

    def all_ids(self) -> list[str]:
        """Return every tournament, stored or archived, in the order of the ids."""
        # The store before and after the archive: one may move while both are read.
        return sorted({*self.ids(), *self.archived.ids(), *self.ids()})

    def ids(self) -> Iterator[str]:
        """Yield every tournament of the store once, in no order."""
        seen: set[str] = set()
        for key in self._redis.scan_iter(match=keys.TOURNAMENTS_PATTERN, count=1000):
            tournament_id = keys.game_of_events(key.decode())
            if tournament_id not in seen:
                seen.add(tournament_id)
                yield tournament_id

    def follow(self, tournament_id: str) -> Feed:
        """Return the stream of a tournament as a feed that ends with the tournament.

        Its lines are events as delivered.
        """
        stream, channel = keys.tournament(tournament_id), keys.tournament_live(tournament_id)

        def show(_stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
            return orjson.dumps(self.show(tournament_id, cursor.encode(), fields))

        def read_archived(after: str) -> list[StreamEntry]:
            if not self.archived.is_set or self.is_stored(tournament_id):
                return []
            entries = self.archived.entries(tournament_id) or []
            return [(stream, *entry) for entry in select_entries(entries, f"({after}", "+")]

        return Feed((stream,), channel, show, read_archived, _ends)

    # -- writing ----------------------------------------------------------------------------------

    def draw_id(self) -> str:
        """Return the id of a new tournament, or of a new game."""
        return self._appends.draw_id()

    def reserve(self, key: str, new_id: str) -> str:
        """Reserve an id under a creation key; returns the one that was there first."""
        return self._appends.reserve(key, new_id)

    def reserved(self, key: str) -> str | None:
        """Return the id that is reserved under a creation key, or None."""
        return self._appends.reserved(key)

    def append(self, draft: TournamentDraft, use: Idempotency | None) -> IdempotencyRecord | None:
        """Append a draft; returns the record of its key where that was used before.

        Raises `VersionConflict`, `Unconfirmed`.
        """
        record = self._appends.append(draft.id, draft.expected, draft.sealed, use, draft.side_keys)
        if record is None:
            self._remember(KnownTournament(draft.id, draft.tournament, draft.head))
        return record


def _ends(fields: dict[bytes, bytes]) -> bool:
    """Return whether a stored entry is the last of its tournament."""
    return ends_stream(orjson.loads(fields[b"event"])["type"])


_NAMED: Final[tuple[str, ...]] = ("host", "player")
"""The fields of events that are players with a name."""


def _weigh(known: KnownTournament, _before: int) -> int:
    tournament = known.tournament
    base, entrant, table = WEIGHTS
    return base + entrant * len(tournament.entrants) + table * len(tournament.tables)


def fold_entries(tournament_id: str, before: Tournament | None, entries: Entries) -> Tournament:
    """Return a tournament after some stored entries, of which there must be one.

    Raises `UnknownEvent`, `BrokenHistory`.
    """
    tournament = before
    for entry in entries:
        tournament = _follow(
            tournament_id, tournament, decode_entry(TOURNAMENT_KINDS, tournament_id, *entry)
        )
    assert tournament is not None
    return tournament


def _follow(tournament_id: str, before: Tournament | None, event: Json) -> Tournament:
    """Return the tournament after a stored event; raises `BrokenHistory`."""
    try:
        return evolve(before, event)
    except Misfit as error:
        raise BrokenHistory(tournament_id, event["version"], error.problem, str(error)) from error
