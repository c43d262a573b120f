"""Takes a finished game out of the store: reads it whole, and removes it when it is archived.

Reading is one atomic step, which gives a fingerprint as well. Removing is one atomic step that
compares the fingerprint: a game that was written to in between stays in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis, ResponseError

from cartulary.events.archive.side_keys import (
    EVENTS,
    FAMILIES,
    IDEMPOTENCY,
    name_key,
    pack_side_keys,
)
from cartulary.events.backup.records import BackupRecord
from cartulary.events.model.chain import hash_or_none
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

CARRIED: Final = (EVENTS, *(family for family in FAMILIES if family != EVENTS))
"""The families that leave the store together, the events first."""

RELEASE_WITHIN_MS: Final = 40_000
"""So long after a game was read it may leave the store. `unarchive` pins a game for a minute, and
removes its row within a quarter of a minute: an archiver that read the game before comes too late
when the pin has ended."""


class Missing(Exception):
    """The game is not in the store."""


class Unfit(Exception):
    """A game that has to stay in the store; `str()` says why."""


class Taken(NamedTuple):
    """A finished game as it is in the store at one moment."""

    id: str
    texts: tuple[bytes, ...]
    head: str
    side_keys: Mapping[str, bytes]
    fingerprint: bytes
    at: int
    """When the game was read, by the clock of the server, in ms since the epoch."""
    first: Json
    last: Json

    @property
    def version(self) -> int:
        """The number of events."""
        return len(self.texts)


class Release(Enum):
    """What became of a game that was to leave the store."""

    DONE, STAYS, ABSENT = 1, 0, 2


class Taker:
    """Takes games out of the store. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._fingerprint, self._release = (
            redis.register_script(read_script("archiving", f"{name}.lua"))
            for name in ("fingerprint", "release")
        )

    def take(self, game_id: str) -> Taken:
        """Read a finished game in one step. Raises `Missing`, `Unfit`."""
        found, (fingerprint, at) = self._read(game_id)
        return _make_taken(game_id, found, fingerprint, at)

    def take_side_keys(self, game_id: str) -> Mapping[str, bytes]:
        """Read what lies next to the stream of a game. Raises `Missing`."""
        found, _ = self._read(game_id)
        if EVENTS not in found:
            raise Missing
        return pack_side_keys(found.values())

    def _read(self, game_id: str) -> tuple[dict[str, BackupRecord], tuple[bytes, int]]:
        """Read the keys of a game by family in one step, with their fingerprint and the time."""
        names = [name_key(game_id, family) for family in CARRIED]
        pipe: Any = self._redis.pipeline(transaction=True)
        for name, family in zip(names, CARRIED, strict=True):
            _READ[FAMILIES[family]](pipe, name)
        self._fingerprint(keys=names, client=pipe)
        answers = iter(pipe.execute(raise_on_error=False))
        found = {}
        for name, family in zip(names, CARRIED, strict=True):
            record = _take_record(name, FAMILIES[family], answers)
            if record is not None:
                found[family] = record
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return found, (answer[0], int(answer[1]))

    def release(self, taken: Taken) -> Release:
        """Remove a game from the store, unless it has changed since it was taken.

        `RELEASE_WITHIN_MS` after that it stays as well.
        """
        others = [name_key(taken.id, family) for family in CARRIED[1:]]
        disposable = [keys.snapshots(taken.id), keys.looked(taken.id)]
        answer = self._release(
            keys=[keys.events(taken.id), keys.pin(taken.id), *others, *disposable],
            args=[taken.fingerprint, len(CARRIED), taken.at + RELEASE_WITHIN_MS],
        )
        return Release(answer)


def _read_stream(pipe: Any, name: str) -> None:
    pipe.xrange(name)
    pipe.xinfo_stream(name)


_READ: Final[Mapping[str, Callable[[Any, str], object]]] = {
    "stream": _read_stream,
    "hash": lambda pipe, name: pipe.hgetall(name),
    "string": lambda pipe, name: pipe.get(name),
}
"""How a whole value of each type is read."""


def _take_record(name: str, type_: str, answers: Iterator[Any]) -> BackupRecord | None:
    """Return the value of the next key, None where it is missing."""
    value = next(answers)
    info: Any = next(answers) if type_ == "stream" else None
    if isinstance(value, Exception):
        raise value
    if isinstance(info, ResponseError) or (value in (None, {}) and info is None):
        return None
    if type_ == "stream":
        items = [
            (one, *(word for pair in fields.items() for word in pair)) for one, fields in value
        ]
        return BackupRecord(name.encode(), type_, items, last=info["last-generated-id"].decode())
    items = sorted(value.items()) if type_ == "hash" else [value]
    return BackupRecord(name.encode(), type_, items)


def _make_taken(
    game_id: str, found: Mapping[str, BackupRecord], fingerprint: bytes, at: int
) -> Taken:
    if EVENTS not in found:
        raise Missing
    texts = _read_texts(found[EVENTS])
    first, last = orjson.loads(texts[0]), orjson.loads(texts[-1])
    if last["type"] not in KINDS or not KINDS[last["type"]].ends_stream:
        raise Unfit("it is not over")
    stored = dict(found[IDEMPOTENCY].items).get(b"head", b"") if IDEMPOTENCY in found else b""
    head = stored.decode()
    if head and head != hash_or_none(texts[-1]):
        raise Unfit("its last event is not the event that was appended")
    side_keys = pack_side_keys(found.values())
    return Taken(game_id, texts, head, side_keys, fingerprint, at, first, last)


def _read_texts(record: BackupRecord) -> tuple[bytes, ...]:
    """Return the texts of a stream. Raises `Unfit` for a stream that is not whole."""
    texts = []
    for number, (entry_id, *fields) in enumerate(record.items, start=1):
        named = dict(zip(fields[::2], fields[1::2], strict=True))
        if entry_id != b"%d-0" % number or not named.keys() <= {b"event", b"nonce"}:
            raise Unfit(f"the entry {entry_id.decode(errors='replace')} does not belong there")
        text = named.get(b"event", b"")
        if hash_or_none(text) is None:
            raise Unfit(f"event {number} cannot be read")
        texts.append(text)
    if not texts or record.last != f"{len(texts)}-0":
        raise Unfit("the stream has lost its end")
    return tuple(texts)
