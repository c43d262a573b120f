"""The streams of tournaments: read, fold, append. The rules are those of a game's stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.masks import Masks
from cartulary.events.ledger.streams import MOST, IdempotencyRecord
from cartulary.events.live.feeds import Feed
from cartulary.events.model.cache import Cache
from cartulary.events.model.chain import hash_stored
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, Misfit, UnknownEvent
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.servers import choose_tournament_keys
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.tournaments.events import TOURNAMENT_KINDS
from cartulary.tournaments.fold import evolve
from cartulary.tournaments.state import Tournament

CAPACITY: Final = 16 * 1024 * 1024
"""Bytes of folded tournaments that a process caches."""

WEIGHTS: Final = (4_000, 600, 300)
"""Bytes of a folded tournament: of itself, for each entrant, for each table."""


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
    """The streams of all tournaments. Thread-safe. Every method raises `RedisError`."""

    def __init__(
        self, redis: Redis, registry: Redis, masks: Masks, replicas_within_ms: int = 0
    ) -> None:
        self._redis, self.masks = redis, masks
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
        return [_decode(tournament_id, *entry) for entry in entries]

    def deliver(self, tournament_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return what `events` returns, each with its `hash`; deleted names are masked."""
        self.masks.look()
        entries = self._read(tournament_id, after, limit)
        return [self.show(tournament_id, *entry) for entry in entries]

    def show(self, tournament_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
        """Return a stored entry as it is delivered."""
        event = _decode(tournament_id, entry_id, fields)
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

    def _read(self, tournament_id: str, after: int, limit: int | None) -> list[Any]:
        if limit is not None and limit < 1:
            return []
        begin = f"({min(max(after, 0), MOST)}-0"
        found: Any = self._redis.xrange(keys.tournament(tournament_id), begin, "+", limit)
        return list(found)

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
        self, tournament_id: str, known: KnownTournament | None, entries: list[Any]
    ) -> KnownTournament | None:
        if not entries:
            return known
        tournament = None if known is None else known.tournament
        for entry in entries:
            tournament = _follow(tournament_id, tournament, _decode(tournament_id, *entry))
        assert tournament is not None
        found = KnownTournament(tournament_id, tournament, hash_stored(entries[-1][1][b"event"]))
        self._remember(found)
        return found

    def _remember(self, known: KnownTournament) -> None:
        self._cache.put(known.id, known, lambda before, after: after.version >= before.version)

    def read(self, tournament_id: str) -> KnownTournament:
        """Return a tournament as it is now; raises `NotFound`, and what `find` raises."""
        found = self.find(tournament_id)
        if found is None:
            raise NotFound("there is no tournament with this id")
        return found

    def at(self, tournament_id: str, version: int) -> Tournament | None:
        """Return a tournament as it was after an event, None before its first event."""
        tournament: Tournament | None = None
        for event in self.events(tournament_id, 0, version):
            tournament = _follow(tournament_id, tournament, event)
        return tournament

    def record(self, tournament_id: str, field: str) -> IdempotencyRecord | None:
        """Return the record of an idempotency field, if there is one."""
        found: Any = self._redis.hget(keys.idempotency(tournament_id), field)
        return None if found is None else IdempotencyRecord.parse(found)

    def ids(self) -> Iterator[str]:
        """Yield every tournament of the store once, in no order."""
        seen: set[str] = set()
        for key in self._redis.scan_iter(match=keys.TOURNAMENTS_PATTERN, count=1000):
            tournament_id = keys.game_of_events(key.decode())
            if tournament_id not in seen:
                seen.add(tournament_id)
                yield tournament_id

    def follow(self, tournament_id: str) -> Feed:
        """Return the stream of a tournament as a feed; its lines are events as delivered."""

        def show(_stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
            return orjson.dumps(self.show(tournament_id, cursor.encode(), fields))

        stream, channel = keys.tournament(tournament_id), keys.tournament_live(tournament_id)
        return Feed((stream,), channel, show)

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


_NAMED: Final[tuple[str, ...]] = ("host", "player")
"""The fields of events that are players with a name."""


def _weigh(known: KnownTournament, _before: int) -> int:
    tournament = known.tournament
    base, entrant, table = WEIGHTS
    return base + entrant * len(tournament.entrants) + table * len(tournament.tables)


def _follow(tournament_id: str, before: Tournament | None, event: Json) -> Tournament:
    """Return the tournament after a stored event; raises `BrokenHistory`."""
    try:
        return evolve(before, event)
    except Misfit as error:
        raise BrokenHistory(tournament_id, event["version"], error.problem, str(error)) from error


def _decode(tournament_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
    """Return a stored entry as an event without `schema`.

    Raises `UnknownEvent`, `BrokenHistory`.
    """
    version = int(entry_id.split(b"-")[0])
    try:
        event: Json = orjson.loads(fields[b"event"])
        type_, schema = event["type"], event.pop("schema")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenHistory(tournament_id, version, "unreadable", str(error)) from error
    kind = TOURNAMENT_KINDS.get(type_)
    if kind is None or schema != kind.schema:
        raise UnknownEvent(tournament_id, version, f"no reader for {type_!r}, schema {schema}")
    return event
