"""Takes a finished game out of the store: reads it whole, and removes it when it is archived.

A tournament that has ended is taken in the same way: its keys have the same names but the stream.

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


def list_carried(stream: str) -> tuple[str, ...]:
    """Return the families that leave the store together, that of the stream first."""
    return (stream, *(family for family in FAMILIES if family != stream))


def is_last_of_game(type_: str) -> bool:
    """Return whether an event of this type ends the stream of a game."""
    return type_ in KINDS and KINDS[type_].ends_stream


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

    def __init__(
        self,
        redis: Redis,
        stream: str = EVENTS,
        is_last: Callable[[str], bool] = is_last_of_game,
    ) -> None:
        """Take what has a stream of this family; `is_last` says which type of event ends it."""
        self._redis, self._stream, self._is_last = redis, stream, is_last
        self._carried = list_carried(stream)
        self._fingerprint, self._release = (
            redis.register_script(read_script("archiving", f"{name}.lua"))
            for name in ("fingerprint", "release")
        )

    def take(self, game_id: str) -> Taken:
        """Read a finished game in one step. Raises `Missing`, `Unfit`."""
        found, (fingerprint, at) = self._read(game_id)
        if self._stream not in found:
            raise Missing
        texts = _read_texts(found[self._stream])
        first, last = orjson.loads(texts[0]), orjson.loads(texts[-1])
        if not self._is_last(last["type"]):
            raise Unfit("it is not over")
        head = _read_head(found, texts[-1])
        side_keys = self._pack(found)
        return Taken(game_id, texts, head, side_keys, fingerprint, at, first, last)

    def take_side_keys(self, game_id: str) -> Mapping[str, bytes]:
        """Read what lies next to the stream of a game. Raises `Missing`."""
        found, _ = self._read(game_id)
        if self._stream not in found:
            raise Missing
        return self._pack(found)

    def _pack(self, found: Mapping[str, BackupRecord]) -> Mapping[str, bytes]:
        beside = (record for family, record in found.items() if family != self._stream)
        return pack_side_keys(beside)

    def _read(self, game_id: str) -> tuple[dict[str, BackupRecord], tuple[bytes, int]]:
        """Read the keys of a game by family in one step, with their fingerprint and the time."""
        names = [name_key(game_id, family) for family in self._carried]
        pipe: Any = self._redis.pipeline(transaction=True)
        for name, family in zip(names, self._carried, strict=True):
            _READ[FAMILIES[family]](pipe, name)
        self._fingerprint(keys=names, client=pipe)
        answers = iter(pipe.execute(raise_on_error=False))
        found = {}
        for name, family in zip(names, self._carried, strict=True):
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
        others = [name_key(taken.id, family) for family in self._carried[1:]]
        disposable = [keys.snapshots(taken.id), keys.looked(taken.id)]
        answer = self._release(
            keys=[name_key(taken.id, self._stream), keys.pin(taken.id), *others, *disposable],
            args=[taken.fingerprint, len(self._carried), taken.at + RELEASE_WITHIN_MS],
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


def _read_head(found: Mapping[str, BackupRecord], last: bytes) -> str:
    """Return the hash that the last append has left, '' from before the chain. Raises `Unfit`."""
    stored = dict(found[IDEMPOTENCY].items).get(b"head", b"") if IDEMPOTENCY in found else b""
    head: str = stored.decode()
    if head and head != hash_or_none(last):
        raise Unfit("its last event is not the event that was appended")
    return head


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
