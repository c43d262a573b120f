"""What the rules of the themes look at: a position, its best line, and the tempting one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cartulary.engine.core import Json, State
from cartulary.puzzles.telling import ToldLine


class Case(NamedTuple):
    """A position with the two lines that a puzzle compares, both told with the same draws."""

    state: State[Any]
    best: ToldLine
    tempting: ToldLine

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.state.seat

    def gains(self, *kinds: str, **details: Any) -> bool:
        """Return whether the best line has a reason of these types that the tempting one lacks.

        A reason with the same words but fewer points counts as lacking, and a share in a feature
        that pays nothing is no gain.
        """
        return any(
            reason["type"] in kinds
            and all(reason.get(key) == one for key, one in details.items())
            and not _is_empty(reason)
            and not any(_is_covered(reason, other) for other in self.tempting.reasons)
            for reason in self.best.reasons
        )

    def count_points(self, told: ToldLine, facts: str = "facts", *reasons: str) -> int:
        """Return the points of the seat in the facts of a line, or `later` in its future."""
        found: Sequence[Json] = getattr(told, facts)
        return sum(
            fact["points"]
            for fact in found
            if fact["type"] == "points"
            and fact["seat"] == self.seat
            and (not reasons or fact["reason"] in reasons)
        )


def _is_empty(reason: Json) -> bool:
    """Return whether a reason gets a share in something that pays nothing."""
    return reason["type"] in ("takes", "shares") and not reason["points"]


def _is_covered(reason: Json, other: Json) -> bool:
    same = {"type", "seat", "reason", "section", "building", "line"}
    if any(reason.get(key) != other.get(key) for key in same):
        return False
    amounts = ("points", "followers", "favours", "houses", "workers", "deniers")
    return all(other.get(key, 0) >= reason.get(key, 0) for key in amounts)


Rule = Callable[[Case], bool]
"""Decides by facts whether a puzzle has a theme."""


class Theme(NamedTuple):
    """A theme of the catalogue: its id, what its rule says, the rule."""

    id: str
    says: str
    rule: Rule
