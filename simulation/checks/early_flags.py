"""Whether a flag fell before its time: a second reckoning, from the events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

Json = dict[str, Any]


def find_early_flags(events: Sequence[Json]) -> Iterator[str]:
    """Yield a line for each flag that fell before its deadline, or in the free time of its turn.

    The free time is reckoned from the last move of another seat; where moves were taken back since,
    the deadline alone is looked at. For processes whose clocks agree.
    """
    asked: list[tuple[float, int | None]] = []
    for event in events:
        kind, at = event["type"], read_moment(event["at"])
        if kind in ("game_started", "move_made"):
            asked.append((at, event.get("seat")))
        elif kind == "moves_taken_back":
            asked.clear()
        elif kind == "turn_timed_out":
            where, seat = f"version {event['version']}", event["seat"]
            begins = [moment for moment, mover in asked if mover != seat]
            if at < read_moment(event["deadline_at"]):
                yield f"{where}: the flag fell before its deadline"
            elif begins and at < begins[-1] + events[0]["pace"]["delay"]:
                yield f"{where}: the flag fell after {at - begins[-1]:.1f} s"


def read_moment(text: str) -> float:
    """Return a moment of an event in seconds since the epoch."""
    return datetime.fromisoformat(text).timestamp()
