"""The sizes of the tables of a round: the fewest byes, then the largest tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache


def choose_sizes(entrants: int, allowed: Sequence[int]) -> list[int]:
    """Return the sizes of the tables for so many entrants, the largest first.

    Empty when no table can be filled; who is left over has a bye. The fewest are left over, and of
    all ways to do that the one with the largest tables: 4, 4, 4 for twelve at three or four, and
    4, 3, 3 for ten.
    """
    seated = next(count for count in range(entrants, -1, -1) if _fits(count, tuple(allowed)))
    sizes: list[int] = []
    while left := seated - sum(sizes):
        rest = [size for size in allowed if size <= left and _fits(left - size, tuple(allowed))]
        sizes.append(max(rest))
    return sizes


def choose_duplicate_sizes(entrants: int, size: int) -> list[int]:
    """Return the sizes of the tables of a duplicate round: at least two, else no table at all."""
    tables = entrants // size
    return [size] * tables if tables >= 2 else []


@cache
def _fits(entrants: int, allowed: tuple[int, ...]) -> bool:
    """Return whether tables of these sizes take exactly so many."""
    return entrants == 0 or any(
        size <= entrants and _fits(entrants - size, allowed) for size in allowed
    )
