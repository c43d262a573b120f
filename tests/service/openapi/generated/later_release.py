"""What a later release may answer: an event, a fact, a move, a value and a code of its own."""

from __future__ import annotations

from typing import Any

from cartulary.service.openapi import examples

_MADE = examples.EVENTS["move_made"]
_LATER_MOVE = {"type": "burn_tile", "x": 1, "y": 0, "why": {"mood": "bad"}}
_LATER_FACT = {"type": "tile_burnt", "tile": "V", "smoke": ["grey", "black"]}

EVENTS: list[dict[str, Any]] = [
    {**_MADE, "version": 1},
    {"version": 2, "at": _MADE["at"], "type": "seat_painted", "seat": 0, "colour": "red"},
    {**_MADE, "version": 3, "facts": [_LATER_FACT, *_MADE["facts"]]},
    {**_MADE, "version": 4, "move": _LATER_MOVE},
    {**examples.EVENTS["stand_in_seated"], "version": 5, "reason": "asleep"},
]

PAGE = {"events": EVENTS, "next_after": 5, "mood": "new fields come too"}

PROBLEM = {
    "type": "/docs/problems#too_tired",
    "title": "The player is too tired",
    "status": 409,
    "detail": "sleep first",
    "instance": "/api/v1/games/1/moves",
    "code": "too_tired",
    "request_id": "r1",
}

LEGAL: dict[str, Any] = {
    "version": 5,
    "decision": {"seat": 0, "kind": "burn_tile", "context": {"tile": "V"}},
    "moves": [_LATER_MOVE],
}

LATER: dict[str, Any] = {"page": PAGE, "problem": PROBLEM, "legal": LEGAL}
