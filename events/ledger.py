"""Reading and appending: the streams themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from itertools import count
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

import orjson
from redis import Redis
from redis.exceptions import RedisError

from cartulary.engine.canonical import canonical_json
from cartulary.events import keys
from cartulary.events.chain import Sealed, hash_or_none, hash_stored
from cartulary.events.connection import Express
from cartulary.events.errors import (
    BrokenHistory,
    Invalid,
    LedgerError,
    UnknownEvent,
    UnknownSchema,
)
from cartulary.events.kinds import upcast
from cartulary.events.masks import Masks
from cartulary.events.standing import ANY_ANSWERS
from cartulary.events.types import Json

Entries = list[tuple[bytes, dict[bytes, bytes]]]
"""Stream entries as the client gives them: (id, fields)."""

APPENDED, REPLAYED, OTHER_ANSWERS = 1, 2, 3

Beside = Mapping[Callable[[str], str], bytes | None]
"""What an append stores beside the stream: by the function that names its key; None deletes it."""

NOTHING: Final[Beside] = MappingProxyType({})

Append = tuple[Any, ...]
"""The words of the command for an append; `read_answer` reads what comes back.

The command may be sent more than once: the nonce in it lets the store do it once.
"""

MOST = 2**31 - 1
"""No stream is longer; the server refuses numbers beyond 64 bits."""
SOME = 8
"""Entries that an event loop reads at once: to fold more of them would hold up its other work."""


class VersionConflict(LedgerError):
    """Somebody else has appended first; `current_version` is where the stream is now."""

    def __init__(self, current_version: int) -> None:
        super().__init__(f"the stream is at version {current_version}")
        self.current_version = current_version


class StandingChanged(VersionConflict):
    """The standing answers have changed since the append was judged; the version is right."""


class Record(NamedTuple):
    """What an idempotency key led to: the versions of its events, the digest of its request."""

    first: int
    last: int
    digest: str

    @classmethod
    def parse(cls, stored: bytes) -> Record:
        """Read the form that the script writes."""
        first, last, digest = stored.decode().split(" ")
        return cls(int(first), int(last), digest)


class Idempotency(NamedTuple):
    """The idempotency of a request: the field in the hash of the game, the digest."""

    field: str
    digest: str

    @classmethod
    def of(cls, scope: str, key: str | None, command: str, body: Any) -> Self | None:
        """Return that of a request, None without a key; the digest covers command and body."""
        if key is None:
            return None
        try:
            text = canonical_json([command, body])
        except RecursionError as error:
            raise Invalid([("", "nested too deeply")]) from error
        return cls(f"{scope}:{_digest(key)}", _digest(text))


class Last(NamedTuple):
    """The last event of a stream: its version and its hash; 0 and '' for an unknown game.

    The hash of an event that cannot be read is '' as well.
    """

    version: int
    hash: str


class Ledger:
    """The streams of all games. Thread-safe."""

    def __init__(self, redis: Redis, registry: Redis | None = None) -> None:
        """Read and write the streams on `redis`; `registry` has what belongs to no game.

        Without `registry` one server has everything.
        """
        self.redis = redis
        self.registry = redis if registry is None else registry
        self.masks = Masks(self.registry)
        self._express = Express(redis)
        self._process, self._origin, self._appends = 0, "", count()
        script = files("cartulary.events").joinpath("append.lua").read_text(encoding="utf-8")
        self._append = redis.register_script(script)

    def close(self) -> None:
        """End the connections for appending; the client itself is its owner's."""
        self._express.close()

    # -- reading --------------------------------------------------------------------------------

    def entries(self, game_id: str, after: int = 0, limit: int | None = None) -> Entries:
        """Return the stored entries with versions above `after`, untouched; any numbers will do."""
        if limit is not None:
            if limit < 1:
                return []
            limit = min(limit, MOST)
        start = min(max(after, 0), MOST)
        found: Any = self.redis.xrange(keys.events(game_id), f"({start}-0", "+", limit)
        return list(found)

    def events(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return the events with versions above `after`, oldest first, at most `limit`.

        In the current schema, `schema` itself and what `deliver` adds left out. An unknown game has
        none. Raises `BrokenHistory` or `UnknownEvent` for an event that cannot be read.
        """
        return [decode(game_id, *entry) for entry in self.entries(game_id, after, limit)]

    def deliver(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return what `events` returns, in the form of the HTTP contract; deleted names masked."""
        return [self.show(game_id, *entry) for entry in self.entries(game_id, after, limit)]

    def show(self, game_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
        """Return a stored entry as it is delivered: `deliver_event`, deleted names masked."""
        return self.masks.mask_event(deliver_event(game_id, entry_id, fields))

    def tail(self, game_id: str, after: int, field: str | None) -> tuple[Entries, Record | None]:
        """Return the entries above `after` and the record of an idempotency field, in one trip."""
        if field is None:
            return self.entries(game_id, after), None
        pipe = self.redis.pipeline(transaction=False)
        pipe.xrange(keys.events(game_id), f"({after}-0", "+")
        pipe.hget(keys.idempotency(game_id), field)
        entries, record = pipe.execute()
        return list(entries), Record.parse(record) if record is not None else None

    def pack_entries(self, game_id: str, version: int) -> tuple[Any, ...]:
        """Return the words of the command that reads the entries from a version on."""
        return ("XRANGE", keys.events(game_id), f"{version}-0", "+", "COUNT", SOME)

    def read_entries(self, answer: Any) -> Entries:
        """Return the entries of the answer to that command, as a bare connection gives it."""
        return [
            (entry_id, dict(zip(fields[::2], fields[1::2], strict=True)))
            for entry_id, fields in answer
        ]

    def last(self, game_ids: Sequence[str]) -> list[Last]:
        """Return the last events of many games, in one round trip."""
        pipe = self.redis.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.xrevrange(keys.events(game_id), "+", "-", 1)
        return [_last(found) for found in pipe.execute()]

    def whole(self, game_id: str) -> tuple[Entries, str | None]:
        """Return all entries and the hash of the last one that its append left, read in one step.

        The hash is None for a stream from before the chain.
        """
        pipe = self.redis.pipeline(transaction=True)
        pipe.xrange(keys.events(game_id))
        pipe.hget(keys.idempotency(game_id), "head")
        entries, head = pipe.execute()
        return list(entries), None if head is None else head.decode()

    def extra(self, game_id: str) -> bytes | None:
        """Return the unknown keys of an imported transcript as JSON, None without any."""
        stored: Any = self.redis.get(keys.extra(game_id))
        return None if stored is None else bytes(stored)

    def record(self, game_id: str, field: str) -> Record | None:
        """Return the record of an idempotency field, if there is one."""
        stored: Any = self.redis.hget(keys.idempotency(game_id), field)
        return None if stored is None else Record.parse(stored)

    def version(self, game_id: str) -> int:
        """Return the current version, 0 for an unknown game."""
        length: Any = self.redis.xlen(keys.events(game_id))
        return int(length)

    def versions(self, game_ids: Sequence[str]) -> list[int]:
        """Return the current versions of many games, in one round trip."""
        pipe = self.redis.pipeline(transaction=False)
        for game_id in game_ids:
            pipe.xlen(keys.events(game_id))
        return [int(length) for length in pipe.execute()]

    def reached(self, game_id: str) -> int:
        """Return the highest version that the stream of a game ever had, removed ones included."""
        info: Any = self.redis.xinfo_stream(keys.events(game_id))
        return int(info["last-generated-id"].split(b"-")[0])

    def game_ids(self) -> Iterator[str]:
        """Yield every stored game once, in no order, while others may be added."""
        seen: set[str] = set()
        for key in self.redis.scan_iter(match=keys.EVENTS_PATTERN, count=1000):
            game_id = keys.game_of_events(key.decode())
            if game_id not in seen:
                seen.add(game_id)
                yield game_id

    def reserved(self, key: str) -> str | None:
        """Return the game id that is reserved under a creation key, or None."""
        game_id: Any = self._find_server(key).get(key)
        return None if game_id is None else game_id.decode()

    # -- writing --------------------------------------------------------------------------------

    def append(
        self,
        game_id: str,
        expected_version: int,
        events: Sequence[Sealed],
        idempotency: Idempotency | None = None,
        beside: Beside = NOTHING,
        standing: str = ANY_ANSWERS.revision,
    ) -> Record | None:
        """Append events to a stream that is at `expected_version` (0: a new game), all or none.

        The last event must have the hash that the first of the new events names, and the standing
        answers the revision `standing`. `beside` is stored in the same step. Returns None when the
        events are stored; the record of the idempotency key when that was used before (nothing is
        stored then). Raises `VersionConflict`, `StandingChanged`.
        """
        append = self.prepare(game_id, expected_version, events, idempotency, beside, standing)
        try:
            answer = self._express.run(*append)
        except RedisError:
            # The script is not loaded yet, or the connection was lost: the client sees to both, and
            # the nonce to an append that has been done already.
            return self.repeat(append)
        return read_answer(answer)

    def prepare(
        self,
        game_id: str,
        expected_version: int,
        events: Sequence[Sealed],
        idempotency: Idempotency | None = None,
        beside: Beside = NOTHING,
        standing: str = ANY_ANSWERS.revision,
    ) -> Append:
        """Return the append that `append` sends."""
        field, digest = idempotency or ("", "")
        type_, _, text, last_hash = events[-1]
        names = keys.name_append(game_id)
        # Nearly every append is a single event, with nothing beside the stream.
        texts = [text] if len(events) == 1 else [event.text for event in events]
        if beside:
            names = (*names, *[name(game_id) for name in beside])
            texts += [value or b"" for value in beside.values()]
        return (
            *("EVALSHA", self._append.sha, len(names), *names),
            *(expected_version, events[0].prev, self._nonce(), field, digest),
            *(game_id, type_, last_hash, len(events), standing, *texts),
        )

    def repeat(self, append: Append) -> Record | None:
        """Send an append whose answer was lost; returns and raises what `append` does."""
        _, _, count, *words = append
        return read_answer(self._append(keys=words[:count], args=words[count:]))

    def _nonce(self) -> str:
        """Return what no other append has, in this process or another, forked ones included."""
        if self._process != os.getpid():
            self._process, self._origin = os.getpid(), token_urlsafe(6)
        return f"{self._origin}{next(self._appends):x}"

    def reserve(self, key: str, game_id: str) -> str:
        """Reserve a game id under a creation key; returns the one that was there first."""
        first: Any = self._find_server(key).set(key, game_id, nx=True, get=True)
        return game_id if first is None else first.decode()

    def _find_server(self, key: str) -> Redis:
        """Return where a key is that reserves an id: of a game (a rematch), or of a player."""
        return self.redis if keys.is_of_game(key) else self.registry


def read_answer(answer: Any) -> Record | None:
    """Read the answer to an append: None when its events are stored, else the record of its key.

    Raises `VersionConflict`, `StandingChanged`.
    """
    code, found = answer
    if code == APPENDED:
        return None
    if code == REPLAYED:
        return Record.parse(found)
    if code == OTHER_ANSWERS:
        raise StandingChanged(int(found))
    raise VersionConflict(int(found))


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


def _last(entries: Entries) -> Last:
    """Read the last entry of a stream."""
    for entry_id, fields in entries:
        text = fields.get(b"event", b"")
        return Last(read_version(entry_id), hash_or_none(text) or "")
    return Last(0, "")


def read_version(entry_id: bytes) -> int:
    """Return the version that the id of a stored entry means."""
    return int(entry_id.split(b"-")[0])


def _digest(text: str) -> str:
    """Return 32 hex digits for any string, one of a stranger that is no Unicode text included."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
