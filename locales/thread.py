"""What a move answers, read from the events before it: the phase, and what the move leaves unused.

A move like `decline` says nothing about its question, and its facts may be empty. The events
before it say which phase it is and whether a favour has just been chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from cartulary.locales.telling import RULES

Event = Mapping[str, Any]

CONTEXT: Final = 60
"""The number of events before a page that is enough: a phase of moves without facts is shorter."""

_BEGUN: Final[str] = RULES["thread"]["phase"]
_UNUSED: Final[str] = RULES["thread"]["unused"]


def find_thread(event: Event, before: Sequence[Event]) -> dict[str, Any]:
    """Return what the patterns of moves may name: `phase`, `after`, and what is left unused.

    `before` are the events before the move, the earliest first: the last `CONTEXT` are enough.
    """
    standing = _list_standing(before)
    phases = (fact["phase"] for facts in standing for fact in reversed(facts) if _begins(fact))
    last = standing[0][-1] if standing and standing[0] else {}
    after = last["type"] if last.get("seat") == event["seat"] else None
    return {"phase": next(phases, None), "after": after, **find_unused(event)}


def find_unused(event: Event) -> dict[str, Any]:
    """Return the place from which a worker of the seat goes home without having worked."""
    for fact in takewhile(lambda fact: not _begins(fact), event.get("facts", ())):
        if fact["type"] == _UNUSED and fact["seat"] == event["seat"]:
            return {key: fact[key] for key in ("space", "building") if key in fact}
    return {}


def _begins(fact: Event) -> bool:
    return bool(fact["type"] == _BEGUN)


def _list_standing(before: Sequence[Event]) -> list[Sequence[Event]]:
    """Return the facts of the moves that were not taken back, the latest move first."""
    taken_back: set[int] = set()
    found = []
    for event in reversed(before):
        taken_back.update(event["moves"] if event["type"] == "moves_taken_back" else ())
        if "facts" in event and event.get("version") not in taken_back:
            found.append(event["facts"])
    return found
