"""The lines of a stream (`application/x-ndjson`), from the bytes as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast

from cartulary.client.core.api_types import Event, Item

LONGEST: Final = 16 * 1024 * 1024
"""Bytes of a line; a longer one means that this is no stream of the service."""


class EventLine(NamedTuple):
    """An event of a game. Its type may be one that this client does not know."""

    version: int
    event: Event


class ResetLine(NamedTuple):
    """The service has lost events that this client has: read the game again.

    The stream goes on after `version`.
    """

    version: int


class NamedLine(NamedTuple):
    """Something that is not stored: `presence`, `message`, `clock`, `inbox`, or a later kind."""

    name: str
    content: Any


StreamLine = EventLine | ResetLine | NamedLine


class BrokenStream(ValueError):
    """The bytes are no lines of JSON."""


class LineSplitter:
    """Splits bytes into lines; what is left at the end of a connection is no line, and dropped."""

    def __init__(self) -> None:
        self._begun = b""

    def split(self, data: bytes) -> Iterator[bytes]:
        """Yield the lines that `data` completes; the signs of life between them are left out."""
        *complete, self._begun = (self._begun + data).split(b"\n")
        if len(self._begun) > LONGEST:
            raise BrokenStream("a line of the stream is too long")
        for line in complete:
            if stripped := line.strip():
                yield stripped


def read_line(line: bytes) -> dict[str, Any]:
    """Return the object of a line, empty for a line of an unknown form; raises `BrokenStream`."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BrokenStream(f"a line of the stream is no JSON: {line[:80]!r}") from error
    return found if isinstance(found, dict) else {}


def read_game_line(line: bytes) -> StreamLine | None:
    """Return what a line says, None for a line of an unknown form; raises `BrokenStream`."""
    return read_stream_line(read_line(line))


def read_stream_line(found: dict[str, Any]) -> StreamLine | None:
    """Return what the object of a line says of a game, None for an unknown form."""
    version, reset = found.get("version"), found.get("reset")
    if type(version) is int and isinstance(found.get("type"), str):
        return EventLine(version, cast(Event, found))
    if isinstance(reset, dict):
        after = reset.get("version", 0)
        return ResetLine(after) if type(after) is int else None
    if len(found) == 1:
        return NamedLine(*found.popitem())
    return None


def read_item(line: bytes) -> Item | None:
    """Return the item of an inbox that a line brings, None for another line."""
    found = read_line(line)
    item = found.get("inbox", found)
    if isinstance(item, dict) and isinstance(item.get("type"), str):
        return cast(Item, item)
    return None
