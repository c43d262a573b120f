"""Cutting a game at a point of time: what was stored after it is left out, at a whole event.

Between two segments a game has changed from one state to the next, and a point of time lies in
between. The events say when they were stored, and so do messages by their ids. The other keys of
the game follow from the last event that stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import orjson

from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.backup.records import BackupRecord
from cartulary.events.model.chain import hash_or_none
from cartulary.events.model.clock import milliseconds

Values = Mapping[bytes, BackupRecord]
"""The keys of a game with their values."""

_STREAMS: Final = (b"}:events", b"}:tournament")
_CHATS: Final = (b"}:chat:players", b"}:chat:spectators")
_OF_BEGIN: Final = (b"}:secret", b"}:extra")
"""Keys that come with the first event; the secret goes with the last."""

_A_TIME: Final = 10**12
"""Versions are smaller, and times in ms since the epoch are larger."""


def cut_game(before: Values, after: Values, until: int) -> dict[bytes, BackupRecord]:
    """Return a game as it was at a time (ms since the epoch) between two of its states."""
    stream = next((key for key in after if key.endswith(_STREAMS)), None)
    if stream is None:  # the game is in the archive, or there never was one
        return dict(after)
    kept = _cut_events(before.get(stream), after[stream], until)
    if kept is None:
        return {}
    found = {key: record for key, one in after.items() if (record := _cut_talk(key, one, until))}
    if len(kept.items) == len(after[stream].items):
        return found
    return _step_back(before, found, _Cut(stream, kept, until))


class _Cut(NamedTuple):
    stream: bytes
    kept: BackupRecord
    until: int

    @property
    def version(self) -> int:
        return int(self.kept.items[-1][0].partition(b"-")[0])


def _cut_events(
    before: BackupRecord | None, after: BackupRecord, until: int
) -> BackupRecord | None:
    """Return the events that were stored by then, None for none. What was there before stays."""
    number = 0 if before is None else len(before.items)
    while number < len(after.items) and _read_time(after.items[number]) <= until:
        number += 1
    items = after.items[:number]
    if len(items) == len(after.items):
        return after
    return after._replace(items=items, last=items[-1][0].decode()) if items else None


def _read_time(entry: tuple[bytes, ...]) -> int:
    """Return the time of an event in ms since the epoch. Raises `DamagedBackup`."""
    try:
        return milliseconds(orjson.loads(_read_text(entry))["at"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedBackup(f"the event {entry[0]!r} has no time: {error}") from error


def _read_text(entry: tuple[bytes, ...]) -> bytes:
    return dict(zip(entry[1::2], entry[2::2], strict=True))[b"event"]


def _cut_talk(key: bytes, record: BackupRecord, until: int) -> BackupRecord | None:
    """Return a key without the messages that came after a time; other keys as they are."""
    if not key.endswith(_CHATS):
        return record
    items = [item for item in record.items if int(item[0].partition(b"-")[0]) <= until]
    if len(items) == len(record.items):
        return record
    return record._replace(items=items, last=items[-1][0].decode()) if items else None


def _step_back(before: Values, after: Values, cut: _Cut) -> dict[bytes, BackupRecord]:
    """Return the keys of a game at an event between its two states.

    What only the later state has is left out, but for what the first event needs, and for messages.
    """
    found = {key: before.get(key, record) for key, record in after.items()}
    found = {key: one for key, one in found.items() if key in before or key.endswith(_OF_BEGIN)}
    found |= {key: one for key, one in before.items() if key.endswith(_OF_BEGIN)}
    found |= {key: one for key, one in after.items() if key.endswith(_CHATS)}
    found[cut.stream] = cut.kept
    tag = cut.stream.partition(b"}")[0]
    name = tag + b"}:idempotency"
    if name in after:
        found[name] = _cut_keys(before.get(name), after[name], cut)
    return found


def _cut_keys(before: BackupRecord | None, after: BackupRecord, cut: _Cut) -> BackupRecord:
    """Return the idempotency records of what is stored at the cut, and the hash of its event."""
    fields: dict[bytes, bytes] = {}
    earlier = {} if before is None else dict(before.items)
    for name, value in after.items:
        if name == b"head":
            fields[name] = (hash_or_none(_read_text(cut.kept.items[-1])) or "").encode()
        elif name == b"standing":
            if name in earlier:
                fields[name] = earlier[name]
        elif _is_stored(value, cut):
            fields[name] = value
    return after._replace(items=sorted(fields.items()))


def _is_stored(value: bytes, cut: _Cut) -> bool:
    """Return whether what an idempotency record answers to was stored at the cut.

    It names two versions, or of a message its time and number.
    """
    try:
        first, last = map(int, value.split(b" ")[:2])
    except ValueError:
        return True  # of a form that this release does not know
    return first <= cut.until if first > _A_TIME else last <= cut.version
