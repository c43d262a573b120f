"""Reading the streams: from the store, and from the archive what has left the store.

A reader of a game looks into the store, then into the archive, then once more into the store: in
between the game may have been brought back. What is in the store counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import orjson
from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.archive.reading import NO_ARCHIVE, ArchiveReader, Carried
from cartulary.events.ledger.closed_rounds import ClosedRounds
from cartulary.events.ledger.collection import PausedCollection
from cartulary.events.ledger.masks import Masks
from cartulary.events.model.chain import hash_or_none, hash_stored
from cartulary.events.model.effects.kinds import upcast
from cartulary.events.model.failures import BrokenHistory, UnknownEvent, UnknownSchema
from cartulary.events.model.types import Entries, Json
from cartulary.events.server import keys

T = TypeVar("T")

MOST = 2**31 - 1
"""No stream is longer; the server refuses numbers beyond 64 bits."""
SOME = 8
"""Entries that an event loop reads at once: to fold more of them would hold up its other work."""


class IdempotencyRecord(NamedTuple):
    """What an idempotency key led to: the versions of its events, the digest of its request."""

    first: int
    last: int
    digest: str

    @classmethod
    def parse(cls, stored: bytes) -> IdempotencyRecord:
        """Read the form that the script writes."""
        first, last, digest = stored.decode().split(" ")
        return cls(int(first), int(last), digest)


class Last(NamedTuple):
    """The last event of a stream: its version and its hash; 0 and '' for an unknown game.

    The hash of an event that cannot be read is '' as well.
    """

    version: int
    hash: str


class Streams:
    """The streams of all games, for reading. Thread-safe."""

    def __init__(
        self,
        redis: Redis,
        registry: Redis | None = None,
        archive: ArchiveReader = NO_ARCHIVE,
    ) -> None:
        """Read the streams on `redis`; `registry` has what belongs to no game.

        Without `registry` one server has everything. `archive` has the games that have left it.
        """
        self.redis, self.archive = redis, archive
        self.registry = redis if registry is None else registry
        self.masks = Masks(self.registry)
        self.closed_rounds = ClosedRounds(self.registry)

    def entries(self, game_id: str, after: int = 0, limit: int | None = None) -> Entries:
        """Return the stored entries with versions above `after`, untouched; any numbers will do.

        Those of an archived game come from the archive.
        """
        if limit is not None:
            if limit < 1:
                return []
            limit = min(limit, MOST)
        start = min(max(after, 0), MOST)
        found = self._ask(game_id, start, limit)
        if not found and self.archive.is_set:
            found = self._find_archived(game_id, start)[:limit]
        return _without_gaps(game_id, start, found)

    def _ask(self, game_id: str, after: int, limit: int | None) -> Entries:
        """Return what the store has of a stream above `after`, at most `limit` entries."""
        found: Any = self.redis.xrange(keys.events(game_id), f"({after}-0", "+", limit)
        return list(found)

    def _find_archived(self, game_id: str, after: int) -> Entries:
        """Return the entries above `after` of a game that shows none of them in the store.

        The store has the game and nothing above `after`, or the archive has the game, or the game
        was brought back in the meantime and is in the store again.
        """
        if after and self.stored_version(game_id):
            return []
        archived = self.archive.entries(game_id)
        return self._ask(game_id, after, None) if archived is None else archived[after:]

    def read_whole(
        self, game_id: str, stored: Callable[[], T | None], archived: Callable[[Carried], T]
    ) -> T | None:
        """Read what lies next to the stream of a game: in the store, else in the archive.

        `stored` reads the store and returns None when the game is not there. Looks into the store
        once more for a game that is brought back in between. Returns None for an unknown game.
        """
        found = stored()
        if found is None and self.archive.is_set:
            carried = self.archive.read_side_keys(game_id)
            found = stored() if carried is None else archived(carried)
        return found

    def events(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return the events with versions above `after`, oldest first, at most `limit`.

        In the current schema, `schema` itself and what `deliver` adds left out. An unknown game has
        no events. Raises `BrokenHistory` or `UnknownEvent` for an event that cannot be read.
        """
        entries = self.entries(game_id, after, limit)
        events = parse_all([fields.get(b"event", b"") for _, fields in entries])
        return [decode(game_id, *entry) for entry in entries] if events is None else events

    def deliver(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return what `events` returns, in the form of the HTTP contract; deleted names masked."""
        return [self.show(game_id, *entry) for entry in self.entries(game_id, after, limit)]

    def show(self, game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
        """Return a stored entry as it is delivered: `deliver_event`, deleted names masked."""
        return self.masks.mask_event(deliver_event(game_id, entry_id, fields))

    def tail(
        self, game_id: str, after: int, field: str | None
    ) -> tuple[Entries, IdempotencyRecord | None]:
        """Return the entries above `after` and the record of an idempotency field, in one trip."""
        if field is None:
            return self.entries(game_id, after), None
        pipe = self.redis.pipeline(transaction=False)
        pipe.xrange(keys.events(game_id), f"({after}-0", "+")
        pipe.hget(keys.idempotency(game_id), field)
        entries, record = pipe.execute()
        if not entries and self.archive.is_set:
            archived = self._find_archived(game_id, max(after, 0))
            return archived, self.record(game_id, field)
        found = _without_gaps(game_id, max(after, 0), list(entries))
        return found, IdempotencyRecord.parse(record) if record is not None else None

    def pack_entries(self, game_id: str, version: int) -> tuple[Any, ...]:
        """Return the words of the command that reads the entries from a version on."""
        return ("XRANGE", keys.events(game_id), f"{version}-0", "+", "COUNT", SOME)

    def last(self, game_ids: Sequence[str]) -> list[Last]:
        """Return the last events of many games, in one round trip."""
        found = dict(zip(game_ids, self.last_stored(game_ids), strict=True))
        missing = [game_id for game_id, last in found.items() if not last.version]
        if missing and self.archive.is_set:
            archived = self.archive.heads(missing)
            found |= {one: self._last_archived(one, *archived[one]) for one in archived}
            # These may have been brought back in the meantime.
            missing = [game_id for game_id in missing if game_id not in archived]
            found |= dict(zip(missing, self.last_stored(missing), strict=True))
        return [found[game_id] for game_id in game_ids]

    def last_stored(self, game_ids: Sequence[str]) -> list[Last]:
        """Return the last events that games have in the store, in one round trip."""
        pipe = self.redis.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.xrevrange(keys.events(game_id), "+", "-", 1)
        return [find_last(found) for found in pipe.execute()]

    def _last_archived(self, game_id: str, version: int, head: str) -> Last:
        if head:
            return Last(version, head)
        # The stream is from before the chain: nothing but its last event says its hash.
        return find_last((self.archive.entries(game_id) or [])[-1:])

    def whole(self, game_id: str) -> tuple[Entries, str | None]:
        """Return all entries and the hash of the last one that its append left, read in one step.

        The hash is None for a stream from before the chain.
        """

        def read() -> tuple[Entries, str | None] | None:
            pipe = self.redis.pipeline(transaction=True)
            pipe.xrange(keys.events(game_id))
            pipe.hget(keys.idempotency(game_id), "head")
            entries, head = pipe.execute()
            return (list(entries), None if head is None else head.decode()) if entries else None

        def take(carried: Carried) -> tuple[Entries, str | None]:
            return self.archive.entries(game_id) or [], carried.head or None

        return self.read_whole(game_id, read, take) or ([], None)

    def extra(self, game_id: str) -> bytes | None:
        """Return the unknown keys of an imported transcript as JSON, None without any."""
        found = self._read_string(game_id, keys.extra(game_id), "extra")
        return found or None

    def rematch(self, game_id: str) -> str | None:
        """Return the game id that is reserved for the rematch of a game, or None."""
        found = self._read_string(game_id, keys.rematch(game_id), "rematch")
        return found.decode() if found else None

    def _read_string(self, game_id: str, key: str, family: str) -> bytes | None:
        """Return a string next to the stream of a game, b"" or None where there is no such key."""
        return self.read_value(
            game_id, lambda pipe: pipe.get(key), lambda carried: carried.read_string(family)
        )

    def read_value(
        self,
        game_id: str,
        ask: Callable[[Any], object],
        find: Callable[[Carried], bytes | None],
    ) -> bytes | None:
        """Return a value next to the stream of a game, b"" or None where there is no such value.

        `ask` adds the command that reads the value to a pipeline; `find` reads it in the archive.
        """

        def read() -> bytes | None:
            pipe = self.redis.pipeline(transaction=False)
            ask(pipe)
            pipe.exists(keys.events(game_id))
            value, exists = pipe.execute()
            return value if value is not None or not exists else b""

        return self.read_whole(game_id, read, lambda carried: find(carried) or b"")

    def record(self, game_id: str, field: str) -> IdempotencyRecord | None:
        """Return the record of an idempotency field, if there is one."""
        found = self.read_value(
            game_id,
            lambda pipe: pipe.hget(keys.idempotency(game_id), field),
            lambda carried: carried.read_hash("idempotency").get(field.encode()),
        )
        return IdempotencyRecord.parse(found) if found else None

    def version(self, game_id: str) -> int:
        """Return the current version, 0 for an unknown game."""
        stored = self.stored_version(game_id)
        return stored if stored or not self.archive.is_set else self.last([game_id])[0].version

    def stored_version(self, game_id: str) -> int:
        """Return the version that a game has in the store, 0 where only the archive has it."""
        length: Any = self.redis.xlen(keys.events(game_id))
        return int(length)

    def reached(self, game_id: str) -> int:
        """Return the highest version that the stream of a game ever had, removed ones included."""
        try:
            info: Any = self.redis.xinfo_stream(keys.events(game_id))
        except ResponseError:
            # The stream is missing; a stream that has lost its end is never archived.
            return self.version(game_id)
        return int(info["last-generated-id"].split(b"-")[0])

    def game_ids(self) -> Iterator[str]:
        """Yield every game of the store once, in no order, while others may be added."""
        seen: set[str] = set()
        for key in self.redis.scan_iter(match=keys.EVENTS_PATTERN, count=1000):
            game_id = keys.game_of_events(key.decode())
            if game_id not in seen:
                seen.add(game_id)
                yield game_id


def _without_gaps(game_id: str, after: int, entries: Entries) -> Entries:
    """Return entries that were asked for above `after`; raise `BrokenHistory` where one is missing.

    The ids of a stream rise, so the first and the last say it.
    """
    if entries:
        first, last = read_version(entries[0][0]), read_version(entries[-1][0])
        if first != after + 1 or last != after + len(entries):
            detail = f"{len(entries)} events above version {after} are those from {first} to {last}"
            raise BrokenHistory(game_id, after + 1, "version_gap", detail)
    return entries


def decode_for_fold(game_id: str, entries: Entries) -> list[Json]:
    """Return `decode` of each entry, moves without their `facts`; raises what `decode` raises."""
    events = parse_all([cut_facts(fields.get(b"event", b"")) for _, fields in entries])
    return [decode(game_id, *entry) for entry in entries] if events is None else events


def parse_all(texts: Sequence[bytes]) -> list[Json] | None:
    """Return the events of stored texts in the current schema.

    None when `decode` refuses a text: the caller then decodes each text to learn why.
    """
    try:
        with PausedCollection():
            return [upcast(orjson.loads(text)) for text in texts]
    except (UnknownSchema, ValueError, KeyError, TypeError, AttributeError):
        return None


def cut_facts(text: bytes) -> bytes:
    """Return the canonical text of a move without its facts: a third of it, which no fold reads.

    No quote stands bare inside a string of JSON, so only keys are found. If the facts themselves
    have a key `move` after a list, the cut ends inside them; what is left then has a bracket too
    many and cannot be parsed.
    """
    begin = text.find(b',"facts":[')
    end = text.find(b'],"move":{', begin)
    return text[:begin] + text[end + 1 :] if 0 < begin < end else text


def decode(game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
    """Return a stored entry as an event of the current schema.

    Raises `UnknownEvent` for a type or a schema that this release does not know, `BrokenHistory`
    (`unreadable`) for what is no event.
    """
    return _read(game_id, entry_id, fields)[0]


def deliver_event(game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
    """Return a stored entry in the form of the HTTP contract: as `decode`, with its `hash`.

    `upcast` says that the event was appended in an older form.
    """
    event, upcast = _read(game_id, entry_id, fields)
    event["hash"] = hash_stored(fields[b"event"])
    if upcast:
        event["upcast"] = True
    return event


def _read(game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> tuple[Json, bool]:
    """Return an event, and whether an upcaster changed it."""
    try:
        stored = orjson.loads(fields[b"event"])
        event = upcast(stored)
    except UnknownSchema as error:
        raise UnknownEvent(game_id, read_version(entry_id), str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenHistory(game_id, read_version(entry_id), "unreadable", str(error)) from error
    return event, event is not stored


def find_last(entries: Entries) -> Last:
    """Read the last entry of a stream, the only one of `entries`."""
    for entry_id, fields in entries:
        text = fields.get(b"event", b"")
        return Last(read_version(entry_id), hash_or_none(text) or "")
    return Last(0, "")


def read_version(entry_id: bytes) -> int:
    """Return the version that the id of a stored entry means."""
    return int(entry_id.split(b"-")[0])
