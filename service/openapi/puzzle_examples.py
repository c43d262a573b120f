"""The examples of `openapi.yaml` for puzzles, by operation; `examples` holds all others."""

from __future__ import annotations

from typing import Any

_Move = dict[str, Any]
_TILE: _Move = {"type": "place_tile", "x": 0, "y": -1, "rotation": 180}
_CITY: _Move = {"type": "place_follower", "segment": "c0"}
_NOBODY: _Move = {"type": "skip_follower"}
_RIGHT = [_TILE, _CITY]
_WRONG = [_TILE, _NOBODY]
_START = {"tile": "D", "x": 0, "y": 0, "rotation": 0, "follower": None}
_VIEW: dict[str, Any] = {
    "tile": "E",
    "board": [_START],
    "discarded": [],
    "remaining": {"V": 4},
    "scores": [0, 0],
    "followers": [7, 7],
}
_PLACED = {"tile": "E", "x": 0, "y": -1, "rotation": 180}
_HINTS = {"step": 2, "themes": ["city"], "candidates": [{"moves": _RIGHT}, {"moves": _WRONG}]}
_SKILL = {"rating": 1432, "deviation": 141}
_CHANGE = {
    "before": {"rating": 1500, "deviation": 350},
    "after": {"rating": 1669, "deviation": 290},
}


def _future(*moves: dict[str, Any], points: int) -> dict[str, Any]:
    fact = {"type": "points", "seat": 0, "points": points, "reason": "city"}
    first, last = moves
    return {
        "line": list(moves),
        "facts": [fact],
        "text": f"Seat 1 gets {points} points for a city",
        "after": [
            {"seat": 0, "move": first, "chance": []},
            {"seat": 0, "move": last, "chance": ["V"]},
        ],
    }


_OUTCOME: dict[str, Any] = {
    "right": True,
    "moves": _RIGHT,
    "at": "2026-11-22T10:00:00.000Z",
    "hints": 0,
    "rated": True,
    "player": _CHANGE,
    "puzzle": _SKILL,
    "explorer": None,
    "themes": ["city"],
    "margin": {"points": 4.2, "wins": 0.11},
    "accepted": [{"moves": _RIGHT}],
    "best": _future(*_RIGHT, points=4),
    "tempting": _future(*_WRONG, points=0),
}
_PUZZLE: dict[str, Any] = {
    "id": "carcassonne-4k7q2m3d",
    "game": "carcassonne",
    "options": {"tiny_city": 4},
    "seats": 2,
    "seat": 0,
    "transcript": {
        "format": "cartulary/1",
        "game": "carcassonne",
        "options": {"tiny_city": 4},
        "seats": 2,
        "setup": {},
        "draws": ["E"],
        "bag": {"V": 4},
        "moves": [],
    },
    "view": _VIEW,
    "decision": {"seat": 0, "kind": "place_tile", "context": {"tile": "E"}},
    "moves": [_TILE],
    "line_moves": 2,
    "hint": None,
    "answer": None,
}
_TRIED = {
    "view": {**_VIEW, "tile": None, "board": [_START, {**_PLACED, "follower": None}]},
    "decision": {"seat": 0, "kind": "place_follower", "context": _PLACED},
    "moves": [_CITY, _NOBODY],
    "facts": [{"type": "tile_placed", "seat": 0, **_PLACED}],
    "chance": False,
    "features": [],
}
_PACKED = {
    **{name: _PUZZLE[name] for name in ("id", "game", "options", "seat", "transcript")},
    **{name: _OUTCOME[name] for name in ("themes", "margin")},
    "best": [_RIGHT],
    "tempting": _WRONG,
    "after": {name: _OUTCOME[name]["after"] for name in ("best", "tempting")},
    "facts": {name: _OUTCOME[name]["facts"] for name in ("best", "tempting")},
    "rating": 1450,
}
_ROW = {
    "puzzle": _PUZZLE["id"],
    "game": "carcassonne",
    "at": "2026-11-22T10:00:00.000Z",
    "right": True,
    "hints": 0,
    "rated": True,
    "change": 169,
    "after": _CHANGE["after"],
    "themes": ["city"],
}

REQUESTS: dict[str, dict[str, Any]] = {
    "answer_puzzle": {"tile_and_follower": {"moves": _RIGHT}},
    "fill_puzzle_pack": {"fifty": {"game": "carcassonne", "number": 50}},
    "try_line": {"tile": {"moves": [_TILE]}, "nothing": {"moves": []}},
    "take_puzzle_hint": {"themes": {"step": 1}, "two_lines": {"step": 2}},
}

ANSWERS: dict[str, dict[str, Any]] = {
    "list_puzzle_games": {"one": {"games": [{"game": "carcassonne", "themes": ["city"]}]}},
    "show_daily_puzzle": {"open": _PUZZLE},
    "show_next_puzzle": {"open": _PUZZLE},
    "show_one_puzzle": {"answered": {**_PUZZLE, "hint": _HINTS, "answer": _OUTCOME}},
    "answer_puzzle": {"right": _OUTCOME},
    "show_puzzle_pack": {"one": {"game": "carcassonne", "puzzles": [_PACKED]}},
    "fill_puzzle_pack": {"one": {"game": "carcassonne", "puzzles": [_PUZZLE["id"]]}},
    "try_line": {"tile": _TRIED},
    "take_puzzle_hint": {"themes": {**_HINTS, "step": 1, "candidates": None}, "two_lines": _HINTS},
    "show_solved": {
        "one": {
            "ratings": [{"game": "carcassonne", **_CHANGE["after"]}],
            "streak": {"days": 1, "best": 3},
            "attempts": [_ROW],
            "next_cursor": None,
        }
    },
}
