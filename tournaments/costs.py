"""What a table costs: how little it is wished for. The rounds of a Swiss and an arena cost least.

All costs are whole numbers, so every machine adds them up alike. In the order of their weight: how
many times two of the table have met; how far apart the points are; how uneven the seats become; how
often the entrants have sat at tables of this size.

A point apart costs more than to sit first for a second time, so winners meet winners; it costs less
than to sit there a third time, so no entrant always sits first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Final

MET: Final = 1_000_000_000
APART: Final = 1_000  # for two entrants one point apart; with the square of the points
SEATS: Final = 900  # with the square of the times more than in the seat that was taken least
SIZE: Final = 20

Row = tuple[int, ...]
"""What each seat of a table costs an entrant."""


class PairingHistory:
    """What the pairing of a round looks at: who met whom, who sat where, and the points.

    `points` are thousandths by entrant, `order` is the order of the lots that the round drew.
    """

    def __init__(
        self, points: Mapping[int, int], tables: Sequence[Sequence[int]], order: Sequence[int]
    ) -> None:
        """Take the tables so far, those of the other entrants included."""
        self._points = points
        self._lots = {number: place for place, number in enumerate(order)}
        self._met: dict[tuple[int, int], int] = {}
        self._sat: dict[int, list[int]] = {number: [0] * 5 for number in order}
        self._sizes: dict[tuple[int, int], int] = {}
        for seats in tables:
            self._note(seats)
        self._pairs: dict[tuple[int, int], int] = {}
        self._rows: dict[tuple[int, int], Row] = {}
        self._known: dict[frozenset[int], int] = {}

    def _note(self, seats: Sequence[int]) -> None:
        for one, other in combinations(sorted(seats), 2):
            self._met[one, other] = self._met.get((one, other), 0) + 1
        for seat, number in enumerate(seats):
            if number in self._sat:
                self._sat[number][seat] += 1
                self._sizes[number, len(seats)] = self._sizes.get((number, len(seats)), 0) + 1

    def find_cost(self, group: Sequence[int]) -> int:
        """Return what a table of these entrants costs, seated in the best way."""
        key = frozenset(group)
        if (known := self._known.get(key)) is None:
            known = self._known[key] = self._add_up(group)
        return known

    def _add_up(self, group: Sequence[int]) -> int:
        size = len(group)
        total = sum(self._find_pair(one, other) for one, other in combinations(group, 2))
        total += SIZE * sum(self._sizes.get((number, size), 0) for number in group)
        return total + SEATS * find_seat_cost([self._find_row(number, size) for number in group])

    def _find_pair(self, one: int, other: int) -> int:
        key = (one, other) if one < other else (other, one)
        if (known := self._pairs.get(key)) is None:
            apart = self._points[one] - self._points[other]
            known = self._pairs[key] = (
                MET * self._met.get(key, 0) + APART * apart * apart // 1_000_000
            )
        return known

    def _find_row(self, number: int, size: int) -> Row:
        key = (number, size)
        if (known := self._rows.get(key)) is None:
            sat = self._sat[number][:size]
            known = self._rows[key] = tuple((times - min(sat)) ** 2 for times in sat)
        return known

    def seat(self, group: Sequence[int]) -> tuple[int, ...]:
        """Return the entrants of a table in the order of the seats.

        Of the orders that cost least the first one, the entrants sorted by their lots.
        """
        drawn = sorted(group, key=self._lots.__getitem__)
        rows = {number: self._find_row(number, len(drawn)) for number in drawn}
        return min(
            permutations(drawn),
            key=lambda seats: sum(rows[number][seat] for seat, number in enumerate(seats)),
        )


def find_seat_cost(rows: Sequence[Row]) -> int:
    """Return the least that the seats of a table cost: each row takes another seat."""
    best = {0: 0}
    for row, steps in zip(rows, _list_steps(len(rows)), strict=True):
        found: dict[int, int] = {}
        for before, seat, after in steps:
            cost = best[before] + row[seat]
            if cost < found.get(after, cost + 1):
                found[after] = cost
        best = found
    return next(iter(best.values()))


@cache
def _list_steps(size: int) -> list[list[tuple[int, int, int]]]:
    """Return for each row the sets of seats before it, the seat it may take, and the set after."""
    return [
        [
            (before, seat, before | 1 << seat)
            for before in range(1 << size)
            if before.bit_count() == taken
            for seat in range(size)
            if not before >> seat & 1
        ]
        for taken in range(size)
    ]
