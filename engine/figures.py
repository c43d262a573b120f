"""Figures: which facts of a game its statistics count, for each seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Habit:
    """What a seat does often: the values of a `key` in its facts of a type.

    `most`: only the first so many facts of a game count, 0: all of them.
    """

    name: str
    fact: str
    key: str
    most: int = 0


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What statistics of a game count.

    `sources` groups the reasons of the facts `points` and of the end count; a reason that is in no
    group is a source of its own. `habits` are what the game counts besides points.
    """

    sources: Mapping[str, Collection[str]] = field(default_factory=dict)
    habits: Sequence[Habit] = ()

    def find_source(self, reason: str) -> str:
        """Return the source of points with a reason."""
        return next((one for one, group in self.sources.items() if reason in group), reason)
