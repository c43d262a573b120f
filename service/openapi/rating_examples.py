"""The examples of `openapi.yaml` for ratings, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_ADA = {"id": "01JC0M6E3N8T5Q2V9W4X7Y1Z0A", "name": "Ada"}
_BEFORE = {"rating": 1480, "deviation": 264, "provisional": False, "games": 11}
_AFTER = {"rating": 1522, "deviation": 251, "provisional": False, "games": 12}
RATINGS: list[dict[str, Any]] = [
    {
        "game": "carcassonne",
        "seats": "2",
        "ladder": "practice",
        **_AFTER,
        "rank": 3,
        "best": 1540,
    }
]
_POINT = {
    "at": "2026-11-22T10:00:00.000Z",
    **_AFTER,
    "change": 42,
    "game": "01JC0M7G5P9R3S6T8V2W4X1Y0B",
}
_SEAT: dict[str, Any] = {"seat": 0, "player": _ADA, "before": _BEFORE}
_BOT = {"seat": 1, "player": None, "before": None, "after": None, "changes": None}

ANSWERS: dict[str, dict[str, Any]] = {
    "list_ratings": {"one": {"ratings": RATINGS}, "none": {"ratings": []}},
    "show_history": {"a_game": {"points": [_POINT, {**_POINT, "game": None}]}},
    "show_leaderboard": {
        "one": {"players": [{"rank": 1, "player": _ADA, **_AFTER}], "next_cursor": None}
    },
    "show_game_ratings": {
        "over": {
            "ladder": "practice",
            "voided": False,
            "seats": [{**_SEAT, "after": _AFTER, "changes": None}, _BOT],
        },
        "ahead": {
            "ladder": "practice",
            "voided": False,
            "seats": [{**_SEAT, "after": None, "changes": [42, -39]}, _BOT],
        },
    },
}
