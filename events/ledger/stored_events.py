"""Entries of streams that are no games as events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import orjson

from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.types import Json


class WithSchema(Protocol):
    """A kind of event."""

    @property
    def schema(self) -> int:
        """The version of its form that is written, and the only one that is read."""


def decode_entry(
    kinds: Mapping[str, WithSchema], stream_id: str, entry_id: bytes, fields: dict[bytes, bytes]
) -> Json:
    """Return a stored entry as an event without `schema`; `kinds` are those that are read.

    Raises `UnknownEvent`, `BrokenHistory`.
    """
    version = int(entry_id.split(b"-")[0])
    try:
        event: Json = orjson.loads(fields[b"event"])
        type_, schema = event["type"], event.pop("schema")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenHistory(stream_id, version, "unreadable", str(error)) from error
    kind = kinds.get(type_)
    if kind is None or schema != kind.schema:
        raise UnknownEvent(stream_id, version, f"no reader for {type_!r}, schema {schema}")
    return event
