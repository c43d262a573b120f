"""The names of the event types, and how a new event is made.

An event is a JSON object. Each event has `version`, `type` and `at`; a stored event has `schema` as
well. What else a type has, and what it does, stands in its row (`events.kinds`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import time_ns
from typing import Any

Json = dict[str, Any]

GAME_CREATED = "game_created"
SEAT_TAKEN = "seat_taken"
SEAT_LEFT = "seat_left"
GAME_STARTED = "game_started"
MOVE_MADE = "move_made"
DRAWS_RENEWED = "draws_renewed"
GAME_SCORED = "game_scored"
GAME_ABORTED = "game_aborted"


def now() -> str:
    """Return the time as RFC 3339 in UTC, with milliseconds."""
    return format_time(time_ns() // 1_000_000)


def format_time(since_epoch: int) -> str:
    """Return a time, in milliseconds since the epoch, as RFC 3339 in UTC."""
    seconds, milliseconds = divmod(since_epoch, 1000)
    return f"{_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:-6]


def event(version: int, type_: str, /, **fields: Any) -> Json:
    """Return an event of now in the form of the HTTP contract."""
    return {"version": version, "type": type_, "at": now(), **fields}
