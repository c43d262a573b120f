"""The event types: their names, their schema versions, their fields.

An event is a JSON object. All have `version`, `type` and `at`; stored ones have `schema` as well.
Types are added, none is ever changed or removed: a new form of one is a new schema with an
upcaster (`events.upcast`).
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
GAME_SCORED = "game_scored"
GAME_ABORTED = "game_aborted"

SCHEMAS: dict[str, int] = {
    GAME_CREATED: 1,
    SEAT_TAKEN: 1,
    SEAT_LEFT: 1,
    GAME_STARTED: 1,
    MOVE_MADE: 1,
    GAME_SCORED: 1,
    GAME_ABORTED: 1,
}
"""The current schema of each type."""

FIELDS: dict[str, dict[str, type]] = {
    GAME_CREATED: {
        "game": str,
        "options": dict,
        "seats": list,
        "visibility": str,
        "created_by": str,
    },
    SEAT_TAKEN: {"seat": int, "player": dict},
    SEAT_LEFT: {"seat": int, "player": dict},
    GAME_STARTED: {
        "setup": dict,
        "chance": list,
        "facts": list,
        "rules_version": int,
        "state_hash": str,
    },
    MOVE_MADE: {"seat": int, "move": dict, "chance": list, "facts": list, "state_hash": str},
    GAME_SCORED: {"result": dict},
    GAME_ABORTED: {"reason": str},
}
"""The fields that an event of the current schema has beside `version`, `type` and `at`."""

ALLOWED_IN: dict[str, tuple[str, ...]] = {
    GAME_CREATED: ("none",),
    SEAT_TAKEN: ("open",),
    SEAT_LEFT: ("open",),
    GAME_STARTED: ("open",),
    MOVE_MADE: ("running",),
    GAME_SCORED: ("scoring",),
    GAME_ABORTED: ("open", "running", "scoring"),
}
"""The statuses of a game in which an event may come; `none` is no game yet."""

LAST = frozenset({GAME_SCORED, GAME_ABORTED})
"""The types after which nothing comes any more."""


def now() -> str:
    """Return the time as RFC 3339 in UTC, with milliseconds."""
    seconds, milliseconds = divmod(time_ns() // 1_000_000, 1000)
    return f"{_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:-6]


def event(version: int, type_: str, /, **fields: Any) -> Json:
    """Return an event of now in the form of the HTTP contract."""
    return {"version": version, "type": type_, "at": now(), **fields}


def shape_problem(event: Json) -> str | None:
    """Say which field of an event (current schema) is missing or of another kind, if any."""
    for name, kind in FIELDS[event["type"]].items():
        if name not in event:
            return f"{name!r} is missing"
        if type(event[name]) is not kind:
            return f"{name!r} is not of type {kind.__name__}"
    return None
