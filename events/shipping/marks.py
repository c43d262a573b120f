"""What is remembered of a shipped value, so that the next segment holds only what has changed.

A mark is some bytes that stand for a value. Of a stream it has the last entry and the number of
entries: what comes after that entry is new, and where anything else has changed (an entry was
removed, a store has fallen back), the stream is shipped whole. Of a hash, a set and a sorted set it
has 16 bytes for each item, of other values a digest.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from cartulary.events.backup.reading import Reading
from cartulary.events.backup.records import BackupRecord, measure_item

HALF = 8
"""Bytes that stand for the name of an item, and for its value."""

LARGEST = 1024 * 1024
"""Bytes of the largest addition; more is shipped as a whole value, which is split into lines."""


class Change(NamedTuple):
    """What a segment says of a key. `kind` is `whole`, `add` or `gone`.

    `whole`: the key has the value of the record, whatever it had. `add`: the items of the record
    are added to those of the key, which loses the items that `without` stands for. `gone`: the key
    is not there any more.
    """

    kind: str
    record: BackupRecord
    without: tuple[bytes, ...] = ()


def make_gone(key: bytes) -> Change:
    """Return that a key is not there any more."""
    return Change("gone", BackupRecord(key, "string", []))


def begin_of(mark: bytes) -> str | None:
    """Return the id of the last shipped entry of a stream, None for another mark."""
    return str(orjson.loads(mark[1:])[0]) if mark[:1] == b"s" else None


def compare(reading: Reading, mark: bytes | None) -> tuple[Change | None, bytes] | None:
    """Return what has changed since a mark, None for no change, and the mark from now on.

    Returns None where the stream was read from its last shipped entry on and has to be read whole.
    """
    record = reading.record
    if record.type == "stream":
        return _compare_stream(reading, mark)
    if record.type in ("hash", "set", "zset"):
        return _compare_items(record, mark)
    fresh = b"w" + _digest(record.items, record.type, record.expires_at, size=16)
    return (None if fresh == mark else Change("whole", record)), fresh


def _compare_stream(reading: Reading, mark: bytes | None) -> tuple[Change | None, bytes] | None:
    record = reading.record
    if mark is None or mark[:1] != b"s":
        return Change("whole", record), _mark_stream(reading)
    begin, digest, length, last, expires_at = orjson.loads(mark[1:])
    ids = [item[0].decode() for item in record.items]
    at = ids.index(begin) if begin in ids else -1
    if at < 0 or _digest(record.items[at]).hex() != digest:
        return None if len(ids) < reading.length else (_whole(reading))
    added = record.items[at + 1 :]
    if reading.length != length + len(added):
        return None if len(ids) < reading.length else (_whole(reading))
    if not added and (last, expires_at) == (record.last, record.expires_at):
        return None, mark
    return Change("add", record._replace(items=added)), _mark_stream(reading)


def _whole(reading: Reading) -> tuple[Change, bytes]:
    return Change("whole", reading.record), _mark_stream(reading)


def _mark_stream(reading: Reading) -> bytes:
    record = reading.record
    begin, digest = "-", ""
    if record.items:
        begin, digest = record.items[-1][0].decode(), _digest(record.items[-1]).hex()
    written = orjson.dumps([begin, digest, reading.length, record.last, record.expires_at])
    return b"s" + written


def _compare_items(record: BackupRecord, mark: bytes | None) -> tuple[Change | None, bytes]:
    items = {name_item(item): (_digest(item), item) for item in record.items}
    expires = _digest(record.type, record.expires_at)
    fresh = b"i" + expires + b"".join(name + items[name][0] for name in sorted(items))
    if fresh == mark:
        return None, fresh
    if mark is None or mark[:1] != b"i":
        return Change("whole", record), fresh
    known = _split(mark)
    changed = [item for name, (value, item) in items.items() if known.get(name) != value]
    gone = tuple(name for name in known if name not in items)
    size = sum(measure_item(item) for item in changed)
    if not changed or 2 * len(changed) + len(gone) > len(items) or size > LARGEST:
        return Change("whole", record), fresh
    return Change("add", record._replace(items=changed), gone), fresh


def name_item(item: Any) -> bytes:
    """Return what stands for the name of an item: a field, or a member."""
    return _digest(item if isinstance(item, bytes) else item[0])


def _split(mark: bytes) -> dict[bytes, bytes]:
    begins = range(1 + HALF, len(mark), 2 * HALF)
    return {mark[at : at + HALF]: mark[at + HALF : at + 2 * HALF] for at in begins}


def _digest(*parts: Any, size: int = HALF) -> bytes:
    return blake2b(repr(parts).encode(), digest_size=size).digest()
