"""Backups as `dump` writes them, and backups as only another program would write them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

from cartulary.events.backup.container import BackupWriter
from cartulary.events.backup.records import BackupRecord, write_record

HEAD: dict[str, Any] = {
    "backup": "cartulary",
    "format": 1,
    "software": "0.1.0",
    "at": "2026-11-22T08:00:00.000Z",
}

EVENTS = BackupRecord(
    b"{01KAB}:events",
    "stream",
    [(b"1-0", b"event", b'{"a":1}'), (b"2-0", b"event", b'{"a":2}', b"nonce", b"\xff")],
    last="2-0",
)
TOKEN = BackupRecord(b"token:aa", "string", [b"01KPL"])
PLAYER = BackupRecord(b"player:01KPL", "hash", [(b"id", b"01KPL"), (b"name", "Ana Žižić".encode())])
RECORDS = [EVENTS, TOKEN, PLAYER]
COUNTS = {"keys": 3, "games": 1, "events": 2, "players": 1, "unknown": 0}


def pack(written: Iterable[dict[str, Any]]) -> bytes:
    """Return a file of these records with the right checksums, whatever the records are."""
    file = io.BytesIO()
    writer = BackupWriter(file)
    for record in written:
        writer.write(record)
    writer.finish()
    return file.getvalue()


def whole(records: Iterable[BackupRecord] = RECORDS, counts: Mapping[str, int] = COUNTS) -> bytes:
    """Return a file of these keys, whose end says `counts`."""
    written = [write_record(record) for record in records]
    return pack([HEAD, *written, {"end": dict(counts)}])
