"""Walks: the analysis that this process goes on with, from one slice to the next.

Decisions share what they have played out. Without that memory the next slice would play it out
again, and play the game up to its first decision. Another process that takes the next slice begins
a walk of its own, with the same results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cartulary.bots.analysis import DecisionAnalysis


class WalkPlace(NamedTuple):
    """Where a walk is: the game, the hash of its last event, the level, the decisions judged."""

    game: str
    head: str
    level: str
    done: int


class Walks:
    """The last walk of a process. For one thread."""

    def __init__(self) -> None:
        self._kept: tuple[WalkPlace, Iterator[DecisionAnalysis]] | None = None

    def keep(self, place: WalkPlace, walk: Iterator[DecisionAnalysis]) -> None:
        """Keep a walk that has come to a place, and forget the walk before."""
        self._kept = place, walk

    def take(self, place: WalkPlace) -> Iterator[DecisionAnalysis] | None:
        """Return the walk that has come to this place, None without it; no other caller gets it."""
        kept, self._kept = self._kept, None
        return kept[1] if kept is not None and kept[0] == place else None
