"""The examples of `openapi.yaml` for profiles, ratings, the explorer and the open data."""

from __future__ import annotations

from typing import Any

_BOB = {"id": "01JC0M6F2D7K9S4B1H8G3R5N0B", "name": "Bob"}
_RECORD = {"games": 9, "won": 5, "tied": 0, "lost": 4}

_WIDE = "place_worker/round-1/seat-1/worker-1"
_NARROW = f"{_WIDE}/~9f2c41d07be6a835"
_EMPTY_TABLE: dict[str, Any] = {
    "format": "cartulary/1",
    "game": "caylus",
    "options": {},
    "seats": 2,
    "setup": {
        "turn_order": [0, 1],
        "neutrals": [
            *("neutral_farm", "neutral_forest", "neutral_quarry", "neutral_sawmill"),
            *("neutral_marketplace", "neutral_carpenter"),
        ],
    },
    "draws": [],
    "moves": [],
}

REQUESTS: dict[str, dict[str, Any]] = {
    "name_position": {"start": {"transcript": _EMPTY_TABLE}},
}

RELIABILITY: dict[str, Any] = {
    "games": 31,
    "finished": 29,
    "timed_out": 1,
    "resigned": 1,
    "since_timeout": 12,
    "median_turn_s": 23,
}

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
    },
    "explore_position": {
        "first_worker": {
            "game": "caylus",
            "keys": {"wide": _WIDE, "narrow": _NARROW},
            "breadth": "narrow",
            "seats": 5,
            "rating": 1500,
            "games": 104210,
            "times": 2114,
            "answers": [
                {
                    "answer": "fixed-carpenter",
                    "offered": 2114,
                    "times": 912,
                    "won": 196,
                    "beaten": 0.524,
                    "score": 71.3,
                    "text": "Place a worker on the carpenter.",
                    "moves": [{"type": "place_worker", "space": "road-8"}],
                }
            ],
            "learn": [
                {
                    "id": "01JC0M7G5P9R3S6T8V2W4X1Y0B",
                    "rating": 1874,
                    "seats": [
                        {"name": "Ada", "score": 88},
                        {"name": "Bob", "score": 79},
                    ],
                }
            ],
        },
        "never_met": {
            "game": "caylus",
            "keys": {"wide": "castle/towers/batches-9", "narrow": None},
            "breadth": "wide",
            "seats": None,
            "rating": None,
            "games": 104210,
            "times": 0,
            "answers": [],
            "learn": [],
        },
    },
    "name_position": {"start": {"wide": _WIDE, "narrow": _NARROW}},
    "list_dumps": {
        "a_month": {
            "licence": "CC0-1.0",
            "months": [
                {
                    "month": "2026-10",
                    "files": [
                        {
                            "name": "games.jsonl.zst",
                            "bytes": 18204113,
                            "sha256": "0f" * 32,
                            "href": f"/api/v1/dumps/2026-10/games.jsonl.zst?sha256={'0f' * 32}",
                        }
                    ],
                }
            ],
        }
    },
}
