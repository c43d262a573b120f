"""The examples of `openapi.yaml` for tournaments, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_ADA = {"id": "01JC0KQ4N6E3N8T5Q2V9W4X7Y1", "name": "Ada"}
_BOB = {"id": "01JC0M9J7R1S5T8V0X4Y6Z3A1C", "name": "Bob"}
_LIVE = {"mode": "live", "delay": 30, "bank": 1200, "refill": 0}
_GAME = "01JC0MB4W7X2Y5Z8A1B3C6D9E1"
_HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_WISH = {
    "name": "Thursday",
    "game": "carcassonne",
    "table": [3, 4],
    "format": "swiss",
    "rounds": 3,
    "pace": {"mode": "live", "delay": 30, "bank": 1200},
    "start": {"by_host": True},
}
_TOURNAMENT: dict[str, Any] = {
    "id": "01JC0MB4W7X2Y5Z8A1B3C6D9F0",
    "name": "Thursday",
    "host": _ADA,
    "game": "carcassonne",
    "table": [3, 4],
    "format": "swiss",
    "pace": _LIVE,
    "rated": False,
    "duplicate": False,
    "visibility": "public",
    "status": "running",
    "version": 15,
    "entrants": {"count": 12, "min": 3, "max": 200, "rating": None, "by_invitation": False},
    "start": {"by_host": True},
    "round": 1,
    "rounds": 3,
    "created_at": "2026-11-26T17:00:00.000Z",
    "updated_at": "2026-11-26T19:00:00.000Z",
}
_WHOLE = {
    **_TOURNAMENT,
    "options": {"tiny_city": 4},
    "minutes": None,
    "window": 3,
    "tiebreaks": ["opponents", "margin", "head_to_head", "draw"],
    "code": None,
    "explanation": None,
    "started_at": "2026-11-26T19:00:00.000Z",
    "pairing": {"commitment": _HEX, "secret": None},
    "chain": None,
    "entropy": None,
}
_ENTERED = {
    "version": 2,
    "type": "entered",
    "at": "2026-11-26T17:10:00.000Z",
    "entrant": 1,
    "player": _BOB,
    "owner": None,
    "entropy": None,
    "prev": _HEX,
    "hash": _HEX,
}
_WITHDREW = {
    "version": 3,
    "type": "withdrew",
    "at": "2026-11-26T17:20:00.000Z",
    "entrant": 1,
    "reason": "left",
    "prev": _HEX,
    "hash": _HEX,
}
_REMOVED = {**_WITHDREW, "type": "entrant_removed", "by": _ADA["id"], "reason": "host"}
_THROWN_OUT = {**_REMOVED, "reason": "He plays for two others as well."}
_STARTED = {
    "version": 14,
    "type": "started",
    "at": "2026-11-26T19:00:00.000Z",
    "entropy": None,
    "prev": _HEX,
    "hash": _HEX,
}
_CANCELLED = {
    "version": 3,
    "type": "tournament_cancelled",
    "at": "2026-11-26T18:00:00.000Z",
    "code": "host",
    "pairing_secret": _HEX,
    "prev": _HEX,
    "hash": _HEX,
}
_DECIDED = {
    "version": 16,
    "type": "table_scored",
    "at": "2026-11-26T23:00:00.000Z",
    "table": 1,
    "game": _GAME,
    "ranks": [1, 2, 3],
    "scores": [91, 84, 60],
    "outcomes": ["finished", "finished", "finished"],
    "reason": "The clock of the table stood.",
    "by": _ADA["id"],
    "prev": _HEX,
    "hash": _HEX,
}
_ACCEPTED = {
    "version": 17,
    "type": "time_accepted",
    "at": "2026-11-26T20:00:00.000Z",
    "table": 1,
    "entrant": 1,
    "time": "2026-11-27T18:00:00.000Z",
    "prev": _HEX,
    "hash": _HEX,
}
_WEEK = {
    "availability": {
        "timezone": "Europe/Zagreb",
        "days": {"mon": [["18:00", "22:30"]], "sat": [["14:00", "24:00"]]},
    }
}
_WRITTEN = {"version": 2, "events": [_ENTERED], "tournament": {**_WHOLE, "version": 2}}
_TABLE = {
    "table": 1,
    "round": 1,
    "game": _GAME,
    "seats": [1, 4, 2],
    "status": "scored",
    "ranks": [1, 2, 3],
    "scores": [91, 84, 60],
    "outcomes": ["finished", "finished", "finished"],
    "absent": [],
    "reason": None,
    "explanation": None,
}
_STANDING = {
    "rank": 1,
    "entrant": 1,
    "player": _BOB,
    "points": 1000,
    "exact": "1",
    "gone": None,
    "byes": 0,
    "tiebreaks": {"opponents": 250, "margin": 812},
    "rounds": [{"round": 1, "kind": "table", "table": 1, "points": 1000}],
}

_COMPARISON: dict[str, Any] = {
    "round": 1,
    "tables": [
        {
            "table": 1,
            "game": _GAME,
            "status": "scored",
            "seats": [1, 2],
            "scores": [24, 20],
            "ranks": [1, 2],
            "outcomes": ["finished", "finished"],
            "leads": [2000, -2000],
            "points": [1000, 0],
        }
    ],
    "partings": [
        {
            "decision": 2,
            "turn": 1,
            "seat": 1,
            "kind": "place_tile",
            "context": {"tile": "K"},
            "choices": [
                {
                    "move": {"type": "place_tile", "x": 1, "y": 0, "rotation": 90},
                    "tables": [1],
                    "lead": -2000,
                }
            ],
        }
    ],
    "shifts": [{"table": 2, "turn": 30, "seat": 0, "aside": ["C"]}],
    "seats": [
        {
            "seat": 0,
            "turns": [
                {
                    "number": 0,
                    "same_draws": True,
                    "same_moves": False,
                    "tables": [
                        {
                            "table": 1,
                            "turn": 0,
                            "version": 3,
                            "drawn": ["K"],
                            "moves": [
                                {"type": "place_tile", "x": 1, "y": 0, "rotation": 90},
                                {"type": "skip_follower"},
                            ],
                            "gained": 4,
                            "score": 4,
                            "lead": 2000,
                        }
                    ],
                }
            ],
        }
    ],
}

REQUESTS: dict[str, dict[str, Any]] = {
    "announce_tournament": {
        "evening": _WISH,
        "league": {
            **_WISH,
            "name": "League of six",
            "table": [2],
            "format": "round_robin",
            "rounds": None,
            "pace": {"mode": "correspondence", "delay": 86400, "bank": 259200},
            "window": 168,
        },
    },
    "enter_tournament": {"plain": {}, "duplicate": {"entropy": "q3Zb1vXb0n3yT4d6u8Qf2w"}},
    "change_availability": {"evenings": _WEEK, "nothing": {"availability": None}},
    "accept_table_time": {"evening": {"time": "2026-11-27T18:00:00Z"}},
    "order_tournament": {
        "remove": {
            "command": "remove",
            "player": _BOB["id"],
            "reason": "He plays for two others as well.",
        },
        "cancel": {"command": "cancel", "reason": "The host is gone, and all have agreed."},
    },
    "decide_table": {
        "winner": {"reason": "The clock of the table stood.", "ranks": [1, 2, 3]},
        "void": {"reason": "Two players have agreed on the result.", "ranks": None},
    },
}

ANSWERS: dict[str, dict[str, Any]] = {
    "announce_tournament": {"evening": {**_WHOLE, "status": "open", "version": 1, "round": 0}},
    "list_tournaments": {
        "one": {"tournaments": [_TOURNAMENT], "next_cursor": None},
    },
    "show_tournament_now": {"running": _WHOLE},
    "list_entrants": {
        "one": {
            "version": 15,
            "entrants": [{"entrant": 1, "player": _BOB, "gone": None, "absences": 0}],
        }
    },
    "show_standings": {
        "first": {"version": 15, "status": "running", "standings": [_STANDING]},
    },
    "show_round": {
        "first": {
            "round": 1,
            "status": "closed",
            "ends_at": "2026-11-26T22:00:00.000Z",
            "commitment": None,
            "secret": None,
            "byes": [],
            "tables": [_TABLE],
        }
    },
    "verify_tournament_now": {
        "running": {
            "valid": True,
            "version": 15,
            "problems": [],
            "head": _HEX,
            "masked": 0,
            "pairings": "hidden",
            "rounds": [],
        }
    },
    "compare_tables": {"first": _COMPARISON},
    "open_calendar": {
        "address": {
            "url": "/api/v1/calendars/Xb0n3yT4d6u8Qf2wq3Zb1vXb0n3yT4d6u8Qf2wq3Zb1.ics",
        }
    },
    "show_availability": {"evenings": _WEEK},
    "change_availability": {"evenings": _WEEK},
    "show_table_times": {
        "common": {
            "times": [{"time": "2026-11-27T18:00:00.000Z", "minutes": 150}],
            "unstated": [],
            "accepted": [{"entrant": 1, "time": "2026-11-27T18:00:00.000Z"}],
            "agreed": None,
        }
    },
    "accept_table_time": {"accepted": {**_WRITTEN, "version": 17, "events": [_ACCEPTED]}},
    "list_tables": {"one": {"version": 15, "games": [_TABLE]}},
    "list_tournament_events": {"first": {"events": [_ENTERED], "next_after": 2}},
    "enter_tournament": {"entered": _WRITTEN},
    "leave_tournament": {"left": {**_WRITTEN, "version": 3, "events": [_WITHDREW]}},
    "remove_entrant": {"removed": {**_WRITTEN, "version": 3, "events": [_REMOVED]}},
    "start_tournament": {"started": {**_WRITTEN, "version": 14, "events": [_STARTED]}},
    "cancel_tournament": {"cancelled": {**_WRITTEN, "version": 3, "events": [_CANCELLED]}},
    "order_tournament": {"removed": {**_WRITTEN, "version": 3, "events": [_THROWN_OUT]}},
    "decide_table": {"decided": {**_WRITTEN, "version": 16, "events": [_DECIDED]}},
}
