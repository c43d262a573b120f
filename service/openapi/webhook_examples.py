"""The examples of `openapi.yaml` for webhooks, by format: what is sent, and what is answered."""

from __future__ import annotations

from typing import Any

_GAME = "01JC0M7A2B3C4D5E6F7G8H9J0K"
_URL = f"https://games.example/games/{_GAME}"
_ABOUT = {
    "game": _GAME,
    "version": 17,
    "seat": 1,
    "title": "Carcassonne: Ada",
    "deadline_at": None,
    "url": _URL,
}
_NOTICE = {"type": "your_turn", "timestamp": "2026-11-20T10:05:00.000Z", "data": _ABOUT}
_TRIED = {
    "type": "test",
    "timestamp": "2026-11-20T10:06:00.000Z",
    "data": {"url": "https://games.example/", "title": ""},
}
_MOVE = {"type": "place_tile", "x": 1, "y": 0, "rotation": 90}
_HASH = "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592"

SENT: dict[str, dict[str, Any]] = {
    "standard": {"turn": {"value": _NOTICE}, "test": {"value": _TRIED}},
    "relay": {
        "turn": {
            "value": {
                **_NOTICE,
                "title": "It is your turn",
                "body": "Carcassonne: Ada",
                "collapse_id": _GAME,
            }
        }
    },
    "discord": {
        "turn": {
            "value": {
                "content": f"It is your turn: Carcassonne: Ada\n{_URL}",
                "allowed_mentions": {"parse": []},
            }
        }
    },
    "slack": {"turn": {"value": {"text": f"It is your turn: Carcassonne: Ada\n{_URL}"}}},
    "move": {
        "abridged": {
            "value": {
                "type": "move",
                "timestamp": "2026-11-20T10:05:00.000Z",
                "data": {
                    **_ABOUT,
                    "decision": {"seat": 1, "kind": "place_tile", "context": {"tile": "D"}},
                    "moves": [_MOVE],
                    "position": {
                        "form": 1,
                        "game": "carcassonne",
                        "options": {"tiny_city": 4},
                        "seats": 2,
                        "state": {"view": {}, "turn": 0, "dump": {}, "dump_hash": _HASH},
                        "kept": [],
                        "state_hash": _HASH,
                    },
                },
            }
        }
    },
}

ANSWERED: dict[str, Any] = {"move": {"value": {"move": _MOVE}}}
