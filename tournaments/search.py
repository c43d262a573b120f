"""The search for the tables of a round that cost least: all ways for a few, steps for many.

Both take a fixed number of steps, so the same tournament is paired alike on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from cartulary.tournaments.costs import PairingHistory
from cartulary.tournaments.lots import pick

FEW: Final = 12
"""Up to so many entrants every way to seat them is looked at."""

STEPS: Final = 80
"""The number of swaps that are tried for each entrant."""

NEAR: Final = 6
"""Three of four swaps are between entrants who stand at most so many places apart."""

Groups = list[tuple[int, ...]]


def find_groups(
    entrants: Sequence[int], sizes: Sequence[int], history: PairingHistory, steps: Iterator[int]
) -> Groups:
    """Return the tables, of these sizes, that cost least; the entrants are given in their order."""
    if len(entrants) <= FEW:
        return _search_all(entrants, sizes, history)
    return _search_near(entrants, sizes, history, steps)


# -- every way ------------------------------------------------------------------------------------


def _search_all(entrants: Sequence[int], sizes: Sequence[int], history: PairingHistory) -> Groups:
    best: list[tuple[int, Groups]] = []

    def extend(left: tuple[int, ...], open_: tuple[int, ...], found: Groups, cost: int) -> None:
        if best and cost >= best[0][0]:
            return
        if not left:
            best[:] = [(cost, found)]
            return
        for size in sorted(set(open_), reverse=True):
            rest = list(open_)
            rest.remove(size)
            for others in combinations(left[1:], size - 1):
                group = (left[0], *others)
                after = tuple(number for number in left if number not in group)
                extend(after, tuple(rest), [*found, group], cost + history.find_cost(group))

    extend(tuple(entrants), tuple(sizes), [], 0)
    return best[0][1]


# -- swaps ----------------------------------------------------------------------------------------


def _search_near(
    entrants: Sequence[int], sizes: Sequence[int], history: PairingHistory, steps: Iterator[int]
) -> Groups:
    """Cut the order into tables, and swap two entrants of two tables wherever that costs less."""
    groups = _cut(entrants, sizes)
    places = [(table, seat) for table, size in enumerate(sizes) for seat in range(size)]
    costs = [history.find_cost(group) for group in groups]
    for _ in range(STEPS * len(entrants)):
        one, other = _pick_places(places, steps)
        if one[0] == other[0]:
            continue
        first, second = _swap(groups, one, other)
        new = history.find_cost(first), history.find_cost(second)
        if sum(new) <= costs[one[0]] + costs[other[0]]:
            groups[one[0]], groups[other[0]] = first, second
            costs[one[0]], costs[other[0]] = new
    return groups


def _cut(entrants: Sequence[int], sizes: Sequence[int]) -> Groups:
    groups, start = [], 0
    for size in sizes:
        groups.append(tuple(entrants[start : start + size]))
        start += size
    return groups


def _pick_places(
    places: Sequence[tuple[int, int]], steps: Iterator[int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two places; three times of four they are near each other."""
    count = len(places)
    one = pick(next(steps), count)
    if pick(next(steps), 4):
        other = (one + 1 + pick(next(steps), NEAR)) % count
    else:
        other = pick(next(steps), count)
    return places[one], places[other]


def _swap(
    groups: Groups, one: tuple[int, int], other: tuple[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, second = list(groups[one[0]]), list(groups[other[0]])
    first[one[1]], second[other[1]] = second[other[1]], first[one[1]]
    return tuple(first), tuple(second)
