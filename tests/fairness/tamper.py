"""Change one thing in the events of a game, everywhere where something can be changed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from tests.fairness.checker import Event
from tests.support.json_parts import parts_of

Path = tuple[str | int, ...]


def flip(value: Any) -> Any:
    """Return another value of the same type; hex stays hex."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, str) and value:
        return ("0" if value[0] != "0" else "1") + value[1:]
    return "changed"


def find_leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of everything that is neither a full object nor a full list."""
    parts = parts_of(value)
    for key, part in parts:
        yield from find_leaves(part, (*path, key))
    if path and not parts:
        yield path


def change(event: Event, path: Path, make: Callable[[Any], Any]) -> Event:
    """Return a copy of an event in which the value at a path is another."""
    made = copy.deepcopy(event)
    inside: Any = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = make(inside[path[-1]])
    return made


def tamper_with(event: Event) -> Iterator[tuple[str, Event]]:
    """Yield copies of an event with one leaf changed, one key missing, or one key more."""
    for path in find_leaves(event):
        yield f"{path} changed", change(event, path, flip)
    for key in event:
        yield f"{key} missing", {other: event[other] for other in event if other != key}
    yield "a key more", {**event, "more": 1}
    yield "a float", {**event, "version": float(event["version"])}


def each_type(events: list[Event]) -> Iterator[Event]:
    """Yield the last event of each type."""
    yield from {event["type"]: event for event in events}.values()
