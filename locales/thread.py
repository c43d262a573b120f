"""What a move answers, read from the events before it: the phase, and what the move leaves unused.

A move like `decline` says nothing about its question, and its facts may be empty. The events
before it say which phase it is and whether a favour has just been chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Event = Mapping[str, Any]

CONTEXT = 60
"""So many events before a page are enough: a phase with moves without facts is shorter."""


def list_keys(event: Event, before: Sequence[Event]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the keys of the phrases for a move, the most exact first, each with more values.

    `before` are the events before the move, the earliest first: the last `CONTEXT` are enough.
    """
    kind = event["move"]["type"]
    phase, last = _find_phase(before)
    if last is not None and last.get("seat") == event["seat"]:
        yield f"{kind}_after_{last['type']}", {}
    if phase:
        yield f"{kind}_{phase}", {}
    home = _find_home(event)
    if "building" in home:
        yield f"{kind}_building", home
    if "space" in home:
        yield f"{kind}_space", home
    yield kind, {}


def _find_phase(before: Sequence[Event]) -> tuple[str, Mapping[str, Any] | None]:
    """Return the pending phase, and the last fact of the last move; "" and None when unknown."""
    taken_back: set[int] = set()
    last: Mapping[str, Any] | None = None
    is_last = True
    for event in reversed(before):
        taken_back.update(event["moves"] if event["type"] == "moves_taken_back" else ())
        if "facts" not in event or event.get("version") in taken_back:
            continue
        facts = event["facts"]
        if is_last:
            last, is_last = facts[-1] if facts else None, False
        for fact in reversed(facts):
            if fact["type"] == "phase_begun":
                return fact["phase"], last
    return "", last


def _find_home(event: Event) -> Mapping[str, Any]:
    """Return the fact that the worker of the seat goes home without having worked, else no fact."""
    for fact in event.get("facts", ()):
        if fact["type"] == "phase_begun":
            break
        if fact["type"] == "worker_home" and fact["seat"] == event["seat"]:
            return {key: fact[key] for key in ("space", "building") if key in fact}
    return {}
