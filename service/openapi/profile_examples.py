"""The examples of `openapi.yaml` for profiles, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_BOB = {"id": "01JC0M6F2D7K9S4B1H8G3R5N0B", "name": "Bob"}
_RECORD = {"games": 9, "won": 5, "tied": 0, "lost": 4}

RELIABILITY: dict[str, Any] = {
    "games": 31,
    "finished": 29,
    "timed_out": 1,
    "resigned": 1,
    "since_timeout": 12,
    "median_turn_s": 23,
}

ANSWERS: dict[str, dict[str, Any]] = {
    "show_statistics": {
        "a_game": {
            "game": "carcassonne",
            "seats": None,
            "games": 31,
            "ranks": [17, 12, 2],
            "finished": 29,
            "scores": {
                "mean": 71.4,
                "best": {"score": 118, "game": "01JC0M7G5P9R3S6T8V2W4X1Y0B"},
            },
            "points": [
                {"source": "city", "points": 905},
                {"source": "field", "points": 512},
                {"source": "road", "points": 421},
                {"source": "monastery", "points": 233},
            ],
            "habits": [
                {
                    "habit": "followers",
                    "values": [{"value": "city", "times": 166}, {"value": "field", "times": 58}],
                }
            ],
            "against": [{"player": _BOB, **_RECORD}],
            "levels": [{"bot": "medium", **_RECORD}],
            "median_turn_s": 23,
        },
        "no_game": {
            "game": "caylus",
            "seats": "2",
            "games": 0,
            "ranks": [],
            "finished": 0,
            "scores": None,
            "points": [],
            "habits": [],
            "against": [],
            "levels": [],
            "median_turn_s": None,
        },
    }
}
