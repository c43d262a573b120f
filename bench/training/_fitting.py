"""The fit: a ridge on the features, whose weights lie on lines between some rows.

The weights of a cell (seats, `favours`) are what `medium` believes, a correction that all cells
have in common, and one of its own. The ridge draws both corrections to zero, so a cell with few
games follows the others, and a feature that never varies keeps its weight. So does a point of the
score: it counts at the end, whatever became of the seats that had it early.

The sums are whole numbers, and the solution takes the four basic operations of floats in a fixed
order: every machine comes to the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bench.training._beginning import list_beginnings
from bench.training._sums import SIZE, CellSums, list_cells
from cartulary.bots.caylus.features import SCORE
from cartulary.bots.caylus.leaf import KNOT, KNOTS, UNIT, Rows, Tables

COMMON: Final = 100.0
"""The ridge of the common correction: a weight that moves by a point has to explain so many squared
points of the results."""

OWN: Final = 3000.0
"""The same of the correction of a cell."""

FIRM: Final = 1e18
"""The same of the weight of a point: no games correct it by as much as a table can hold."""

UNKNOWNS: Final = KNOTS * SIZE

Weights = list[float]
"""By knot and feature, in points."""


class System:
    """Normal equations: `matrix` times the correction is `right`.

    The matrix is symmetric; row j has what stands from its diagonal on.
    """

    def __init__(self) -> None:
        self.matrix = [[0.0] * (UNKNOWNS - j) for j in range(UNKNOWNS)]
        self.right = [0.0] * UNKNOWNS

    def add(self, sums: CellSums, seats: int) -> None:
        """Add the positions of a cell; a row counts by its difference to the mean of the others."""
        share = 1 / ((seats - 1) * (seats - 1))
        for steps, step in enumerate(sums.steps):
            if step.rows:
                for one, by_one in _list_knots(steps):
                    self._add_moments(one, step.moments, share * by_one)
                    for two, by_two in _list_knots(steps):
                        self._add_grams(one, two, step.grams, share * by_one * by_two)

    def _add_moments(self, knot: int, moments: Sequence[int], factor: float) -> None:
        for j, moment in enumerate(moments):
            self.right[knot * SIZE + j] += factor * moment

    def _add_grams(self, one: int, two: int, grams: Sequence[Sequence[int]], factor: float) -> None:
        """Add the features of knot `one` times those of knot `two`, from the diagonal on."""
        if two < one:
            return
        for j, gram in enumerate(grams):
            row = self.matrix[one * SIZE + j]
            offset = (two - one) * SIZE
            for k, value in enumerate(gram, j):
                row[offset + k - j] += factor * value
                if two > one and k > j:
                    self.matrix[one * SIZE + k][offset + j - k] += factor * value

    def subtract(self, weights: Weights) -> None:
        """Take from the results what some weights explain already."""
        explained = [0.0] * UNKNOWNS
        for j, row in enumerate(self.matrix):
            explained[j] += row[0] * weights[j]
            for k, value in enumerate(row[1:], j + 1):
                explained[j] += value * weights[k]
                explained[k] += value * weights[j]
        for j, value in enumerate(explained):
            self.right[j] -= value

    def merge(self, other: System) -> None:
        """Add other equations."""
        for mine, others in zip(self.matrix, other.matrix, strict=True):
            for k, value in enumerate(others):
                mine[k] += value
        for j, value in enumerate(other.right):
            self.right[j] += value

    def solve(self, ridge: float) -> Weights:
        """Return the correction under a ridge, by elimination (L·D·Lᵀ)."""
        rows = [row[:] for row in self.matrix]
        right = self.right[:]
        for j, row in enumerate(rows):
            row[0] += FIRM if j % SIZE == SCORE else ridge
        for j, row in enumerate(rows):
            _eliminate(rows, right, j, row)
        return _substitute(rows, right)


def _list_knots(steps: int) -> list[tuple[int, float]]:
    """Return the knots next to a number of steps, each with its share of the weight."""
    knot, far = divmod(steps, KNOT)
    if not far:
        return [(knot, 1.0)]
    return [(knot, (KNOT - far) / KNOT), (knot + 1, far / KNOT)]


def _eliminate(rows: list[Weights], right: Weights, j: int, row: Weights) -> None:
    pivot = row[0]
    for k in range(1, len(row)):
        factor = row[k] / pivot
        if factor:
            below = rows[j + k]
            for at in range(k, len(row)):
                below[at - k] -= factor * row[at]
            right[j + k] -= factor * right[j]


def _substitute(rows: Sequence[Weights], right: Sequence[float]) -> Weights:
    found = [0.0] * len(rows)
    for j in range(len(rows) - 1, -1, -1):
        value = right[j]
        for k, factor in enumerate(rows[j][1:], j + 1):
            value -= factor * found[k]
        found[j] = value / rows[j][0]
    return found


def begin_weights() -> Weights:
    """Return the weights before any game."""
    return [one for knot in list_beginnings() for one in knot]


def fit(sums: Mapping[tuple[int, str], CellSums]) -> Tables:
    """Return the tables that the sums of some games say."""
    before, common = begin_weights(), System()
    systems = dict[tuple[int, str], System]()
    for key in list_cells():
        systems[key] = System()
        systems[key].add(sums[key], key[0])
        systems[key].subtract(before)
        common.merge(systems[key])
    shared = common.solve(COMMON)
    return {key: _correct(system, before, shared) for key, system in systems.items()}


def _correct(system: System, before: Weights, shared: Weights) -> Rows:
    """Return the rows of a cell: the weights before any game, and both corrections."""
    system.subtract(shared)
    own = system.solve(OWN)
    whole = [
        round(UNIT * (one + two + three))
        for one, two, three in zip(before, shared, own, strict=True)
    ]
    return tuple([tuple(whole[at : at + SIZE]) for at in range(0, UNKNOWNS, SIZE)])
