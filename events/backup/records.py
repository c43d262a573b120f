"""The records of a backup: the head, the keys with their values, the end.

    {"backup":"cartulary","format":1,"software":"0.1.0","at":"2026-11-22T08:00:00.000Z"}
    {"key":"{01K…}:events","type":"stream","value":[["1-0","event","{…}"],…],"last":"57-0"}
    {"end":{"keys":9,"games":3,"events":171,"players":2}}

A key whose value is long has several records, one after another; all but the last say
`"more":true`. The records are in the order of the sections and of the bytes of the keys. Bytes
that are no UTF-8 are written as `{"base64":"…"}`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Any, NamedTuple

from cartulary.events.model.types import Json
from cartulary.events.server.key_catalogue import find_family, is_carried

PART = 256 * 1024
"""Bytes of a value after which the next record begins."""

TYPES = ("string", "hash", "set", "zset", "list", "stream")
MEMBERS = {"type", "value"}
OPTIONAL = {"more", "last", "expires_at"}
STREAM_ID = re.compile(r"(0|[1-9]\d{0,19})-(0|[1-9]\d{0,19})", re.ASCII)
OF_A_GAME = re.compile(r"\{[^{}]+\}:")
SCORE = re.compile(r"-?(inf|\d+(\.\d+)?(e[+-]?\d+)?)", re.ASCII)


ARCHIVED = "archive:"
"""What the names of archived games and tournaments begin with, which are no keys."""
ARCHIVED_GAME = f"{ARCHIVED}game:"
ARCHIVED_TOURNAMENT = f"{ARCHIVED}tournament:"


class Flaw(ValueError):
    """What is wrong with a record, in words."""


class BackupRecord(NamedTuple):
    """A key with its value, or a part of the value.

    `items` are the parts of which the value of each type consists: pieces of a string, pairs of a
    hash, members of a set, (member, score) of a sorted set, elements of a list, and (id, field,
    value, …) of a stream. `last` is the last id that a stream has given out, `expires_at` is in ms
    since the epoch; both come with the last part.
    """

    key: bytes
    type: str
    items: list[Any]
    more: bool = False
    last: str | None = None
    expires_at: int | None = None

    @property
    def name(self) -> str:
        """Return the key as text, for people and for `find_family`."""
        return self.key.decode(errors="surrogateescape")

    @property
    def place(self) -> tuple[int, bytes]:
        """Return what the records of a backup are ordered by."""
        return section(self.name), self.key


def section(name: str) -> int:
    """Return the part of a backup that a key belongs to, by its name.

    What refers to a key is read before that key: games (0) name players, tokens and the like (1)
    name games and players, players (2) name nothing. What is archived (3) comes last: a game that
    leaves the store while the backup runs is then found there.
    """
    if OF_A_GAME.match(name):
        return 0
    if name.startswith(ARCHIVED):
        return 3
    return 2 if name.startswith("player:") else 1


def write_record(record: BackupRecord) -> Json:
    """Return a record as JSON."""
    written: Json = {
        "key": write_text(record.key),
        "type": record.type,
        "value": [_write_item(item) for item in record.items],
    }
    if record.more:
        written["more"] = True
    if record.last is not None:
        written["last"] = record.last
    if record.expires_at is not None:
        written["expires_at"] = record.expires_at
    return written


def split(record: BackupRecord) -> Iterator[BackupRecord]:
    """Yield a record in parts of about `PART` bytes; at least one."""
    parts = list(_parts(record.items))
    for items in parts[:-1]:
        yield BackupRecord(record.key, record.type, items, more=True)
    yield record._replace(items=parts[-1])


def read_record(written: Json) -> BackupRecord:
    """Return the record of a key. Raises `Flaw` for what `write_record` does not write."""
    if not ({"key"} | MEMBERS <= written.keys() <= {"key"} | MEMBERS | OPTIONAL):
        raise Flaw("the members of the record are wrong")
    type_, more, expires_at = written["type"], written.get("more"), written.get("expires_at")
    last = written.get("last")
    if type_ not in TYPES or not isinstance(written["value"], list):
        raise Flaw("the type is unknown or the value is no list")
    if more not in (None, True) or (more and ("last" in written or "expires_at" in written)):
        raise Flaw("`more`, `last` and `expires_at` do not fit together")
    if "expires_at" in written and not (type(expires_at) is int and 0 < expires_at < 2**62):
        raise Flaw("`expires_at` is invalid")
    if (last is not None) != (type_ == "stream" and not more):
        raise Flaw("`last` comes with the last part of a stream, and only there")
    items = [_READ[type_](item) for item in written["value"]]
    if not items and type_ != "stream":
        raise Flaw("the value is empty")
    if type_ == "stream":
        _check_ids([item[0].decode() for item in items], last)
    record = BackupRecord(read_text(written["key"]), type_, items, bool(more), last, expires_at)
    _check_family(record)
    return record


def _check_family(record: BackupRecord) -> None:
    if not is_carried(record.name):
        raise Flaw(f"a backup carries no key {record.name!r}")
    family = find_family(record.name)
    if family is not None and family.type not in ("", record.type):
        raise Flaw(f"{record.name!r} is a {family.type}, not a {record.type}")


def _check_ids(ids: list[str], last: Any) -> None:
    before = (0, 0)
    for text in ids:
        if (at := stream_id(text)) <= before:
            raise Flaw(f"the id {text[:50]} does not follow")
        before = at
    if last is not None and stream_id(last) < before:
        raise Flaw("`last` is before the last id")


def stream_id(text: Any) -> tuple[int, int]:
    """Return the two numbers of the id of a stream entry. Raises `Flaw`."""
    match = STREAM_ID.fullmatch(text) if isinstance(text, str) else None
    if match is None or max(numbers := (int(match[1]), int(match[2]))) >= 2**64:
        raise Flaw("an id of a stream is invalid")
    return numbers


def write_text(value: bytes) -> Any:
    """Return bytes as JSON."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(value).decode()}


def _write_item(item: Any) -> Any:
    return write_text(item) if isinstance(item, bytes) else [write_text(one) for one in item]


def read_text(written: Any) -> bytes:
    """Return bytes that `write_text` has written. Raises `Flaw`."""
    if isinstance(written, str):
        return written.encode()
    if not (isinstance(written, dict) and written.keys() == {"base64"}):
        raise Flaw("a value is no text")
    try:
        value = b64decode(written["base64"], validate=True)
    except (NotBase64, ValueError, TypeError) as error:
        raise Flaw("a value is no base64") from error
    if write_text(value) != written:
        raise Flaw("a value is not written as `backup` writes it")
    return value


def _read_pair(written: Any) -> tuple[bytes, ...]:
    if not (isinstance(written, list) and len(written) == 2):
        raise Flaw("a pair is expected")
    return tuple(map(read_text, written))


def _read_scored(written: Any) -> tuple[bytes, ...]:
    member, score = _read_pair(written)
    if not SCORE.fullmatch(score.decode(errors="replace")):
        raise Flaw("a score is invalid")
    return member, score


def _read_entry(written: Any) -> tuple[bytes, ...]:
    if not (isinstance(written, list) and len(written) >= 3 and len(written) % 2):
        raise Flaw("an entry of a stream is expected")
    if not isinstance(written[0], str):
        raise Flaw("an id of a stream is invalid")
    return tuple(map(read_text, written))


_READ: dict[str, Any] = {
    "string": read_text,
    "hash": _read_pair,
    "set": read_text,
    "zset": _read_scored,
    "list": read_text,
    "stream": _read_entry,
}


def _parts(items: list[Any]) -> Iterator[list[Any]]:
    """Yield the items in runs of about `PART` bytes; at least one run, which may be empty."""
    part: list[Any] = []
    size = 0
    for item in items:
        if part and size + measure_item(item) > PART:
            yield part
            part, size = [], 0
        part.append(item)
        size += measure_item(item)
    yield part


def measure_item(item: Any) -> int:
    """Return the bytes of an item: of its text, or of its parts together."""
    return len(item) if isinstance(item, bytes) else sum(map(len, item))
