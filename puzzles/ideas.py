"""When two lines are one idea: the answer to "is there another good move?".

Lines are one idea when they do the same in other places (their facts and reasons are equal but for
where), or when they come to the same position because they are made in another order.
"""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Json
from cartulary.puzzles.telling import ToldLine

WHERE: Final = frozenset({"x", "y", "rotation", "segment"})
"""The keys of facts that say where on a board without fixed places."""

HOW: Final = frozenset({"pay", "give"})
"""The keys of moves that say with which goods."""


def is_same_idea(one: ToldLine, other: ToldLine) -> bool:
    """Return whether two lines of a position are one idea."""
    return (
        find_idea(one) == find_idea(other)
        or name_line(one) == name_line(other)
        or (bool(one.after[len(one.plan) :]) and one.end.identity() == other.end.identity())
    )


def find_idea(told: ToldLine) -> str:
    """Return what a line does, wherever it does it: equal for equal placements."""
    return canonical_json([_drop(fact, WHERE) for fact in [*told.facts, *told.reasons]])


def name_line(told: ToldLine) -> str:
    """Return the moves of a line, whatever they are paid with."""
    steps = told.after[: len(told.plan)]
    return canonical_json([_drop(step["move"], HOW) for step in steps])


def _drop(value: Json, keys: frozenset[str]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in keys}
