"""The examples of `openapi.yaml` for company, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_BOB = {"id": "01JC0M9J7R1S5T8V0X4Y6Z3A1C", "name": "Bob"}
_FOLLOWED = {**_BOB, "since": "2026-11-22T10:00:00.000Z"}
_LIVE = {"mode": "live", "delay": 30, "bank": 1200, "refill": 0}
_WISH = {"game": "caylus", "seats": [3, 4], "pace": _LIVE, "fill": "bots", "new": True}
_SEEK: dict[str, Any] = {
    "id": "01JC0MB4W7X2Y5Z8A1B3C6D9E0",
    "player": _BOB,
    "game": "caylus",
    "options": {"favours": "table", "edition": "second"},
    "seats": [3, 4],
    "pace": _LIVE,
    "rated": False,
    "rating_range": None,
    "min_reliability": None,
    "fill": "bots",
    "patience": 30,
    "created_at": "2026-11-22T20:00:00.000Z",
    "expires_at": "2026-11-23T20:00:00.000Z",
    "table": None,
}

REQUESTS: dict[str, dict[str, Any]] = {
    "make_seek": {
        "evening": _WISH,
        "untimed": {"game": "carcassonne", "seats": [2]},
        "among_equals": {
            "game": "carcassonne",
            "seats": [2],
            "pace": _LIVE,
            "rating_range": [1300, 1700],
            "min_reliability": 90,
        },
    },
}

ANSWERS: dict[str, dict[str, Any]] = {
    "list_follows": {"one": {"follows": [_FOLLOWED]}, "empty": {"follows": []}},
    "show_company": {
        "here": {"players": [{**_FOLLOWED, "online": True, "playing": [], "hosting": []}]}
    },
    "make_seek": {"waits": {"seek": _SEEK, "tables": []}},
    "list_seeks": {"one": {"seeks": [_SEEK]}, "empty": {"seeks": []}},
    "summarise_seeks": {
        "evening": {
            "game": "caylus",
            "waiting": 3,
            "paces": [
                {"pace": "live", "waiting": 2, "median_wait_s": 41},
                {"pace": "correspondence", "waiting": 1, "median_wait_s": 5400},
                {"pace": "none", "waiting": 0, "median_wait_s": None},
            ],
        }
    },
}
