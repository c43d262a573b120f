"""What lies next to the stream of an archived game, as bytes that pack well.

Each family of keys that a backup carries (`key_catalogue.OF_GAMES`) is one entry: its name
after the tag of the game leads to the value. A new family is archived without a change here.

The hash of the idempotency records has two digests for each request, 64 digits that do not
compress. They are kept as bytes, apart from the rest. Its field `head` is the hash of the last
event, which the row of the game has anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from cartulary.events.backup.records import BackupRecord, read_record, write_record
from cartulary.events.server.key_catalogue import OF_GAMES

IDEMPOTENCY: Final = "idempotency"
EVENTS: Final = "events"
TOURNAMENT: Final = "tournament"
"""The families of the streams: of a game and of a tournament, which have no id in common."""

HEAD: Final = b"head"
"""The field of the idempotency hash with the hash of the last event."""

_FIELD: Final = re.compile(rb"(.*):([0-9a-f]{32})", re.DOTALL)
_VALUE: Final = re.compile(rb"(0|[1-9]\d{0,17}) (0|[1-9]\d{0,17}) ([0-9a-f]{32})")
_DIGEST: Final = 16
"""Bytes of a digest: 32 hexadecimal digits."""

_APART: Final = b'{"scopes":'
"""What the form with digests as bytes begins with."""

FAMILIES: Final = {
    family.form.partition("}:")[2]: family.type for family in OF_GAMES if family.type
}
"""The families of keys of a game that an archive carries, and the types of their values."""


def name_key(game_id: str, family: str) -> str:
    """Return the key of a family of a game."""
    return f"{{{game_id}}}:{family}"


def pack_side_keys(records: Iterable[BackupRecord]) -> dict[str, bytes]:
    """Return values next to a stream by family, as bytes; its events are packed apart."""
    packed = {}
    for record in records:
        family = record.name.partition("}:")[2]
        pack = _pack_idempotency if family == IDEMPOTENCY else _pack
        packed[family] = pack(record)
    return packed


def unpack_side_keys(game_id: str, family: str, packed: bytes, head: str = "") -> BackupRecord:
    """Return the value of one family. Raises `ValueError` for what `pack_side_keys` does not make.

    `head` is the hash of the last event that the append has left, '' without one.
    """
    key = name_key(game_id, family)
    if not packed.startswith(_APART):
        return read_record({**orjson.loads(packed), "key": key})
    found = [(HEAD, head.encode())] if head else []
    return BackupRecord(key.encode(), "hash", sorted([*found, *_read_apart(packed)]))


def unpack_all(game_id: str, side_keys: Mapping[str, bytes], head: str = "") -> list[BackupRecord]:
    """Return the values of all families of a game."""
    records = [unpack_side_keys(game_id, family, one, head) for family, one in side_keys.items()]
    return [record for record in records if record.items or record.type == "stream"]


def _pack(record: BackupRecord) -> bytes:
    written = write_record(record)
    del written["key"]
    return orjson.dumps(written)


def _pack_idempotency(record: BackupRecord) -> bytes:
    """Return the idempotency records: a line of JSON, then the digests as bytes."""
    scopes: dict[bytes, int] = {}
    rows: list[int] = []
    rest, digests = [], []
    for field, value in record.items:
        named, noted = _FIELD.fullmatch(field), _VALUE.fullmatch(value)
        if field == HEAD:
            continue
        if named is None or noted is None or not _is_text(named[1]):
            rest.append((field, value))
            continue
        rows += [scopes.setdefault(named[1], len(scopes)), int(noted[1]), int(noted[2])]
        digests += [bytes.fromhex(one.decode()) for one in (named[2], noted[3])]
    written = write_record(BackupRecord(b"", "hash", rest))["value"]
    head = {"scopes": [one.decode() for one in scopes], "rows": rows, "rest": written}
    return b"\n".join([orjson.dumps(head), b"".join(digests)])


def _is_text(scope: bytes) -> bool:
    try:
        scope.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_apart(packed: bytes) -> list[tuple[bytes, bytes]]:
    line, _, digests = packed.partition(b"\n")
    head: Any = orjson.loads(line)
    rest = []
    if head["rest"]:
        written = {"key": name_key("rest", IDEMPOTENCY), "type": "hash", "value": head["rest"]}
        rest = read_record(written).items
    numbers = iter(head["rows"])
    found = []
    for at, (scope, first, last) in enumerate(zip(numbers, numbers, numbers, strict=True)):
        pair = digests[2 * _DIGEST * at : 2 * _DIGEST * (at + 1)]
        if len(pair) != 2 * _DIGEST:
            raise ValueError("digests of idempotency records are missing")
        asked, answered = pair[:_DIGEST].hex(), pair[_DIGEST:].hex()
        name = f"{head['scopes'][scope]}:{asked}"
        found.append((name.encode(), f"{first} {last} {answered}".encode()))
    return [*rest, *found]
