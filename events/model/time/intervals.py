"""Intervals of time: pairs `(from, until)` of ms since the epoch, `until` excluded.

Everything here is pure. `Intervals` are sorted and disjoint; intervals that touch are joined.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Interval = tuple[int, int]
Intervals = tuple[Interval, ...]

NOTHING: Final[Intervals] = ()


def join(*many: Iterable[Interval]) -> Intervals:
    """Return the union of intervals in any order, without those that have no length."""
    found: list[Interval] = []
    for begin, end in sorted(one for some in many for one in some):
        if begin >= end:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return tuple(found)


def clip(intervals: Intervals, since: int, until: int) -> Intervals:
    """Return the parts of the intervals that lie between two moments."""
    if not intervals:
        return NOTHING
    cut = ((max(begin, since), min(end, until)) for begin, end in intervals)
    return tuple(one for one in cut if one[0] < one[1])


def measure(intervals: Intervals) -> int:
    """Return how long the intervals are together, in ms."""
    return sum(end - begin for begin, end in intervals)


def find_end(since: int, wait: int, stops: Intervals) -> int:
    """Return the moment at which `wait` ms have passed since a moment, without counting stops."""
    now = since
    for begin, end in stops:
        if begin > now and begin - now >= wait:
            break
        wait -= max(0, begin - now)
        now = max(now, end)
    return now + wait
