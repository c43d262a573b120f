"""The leaf of a search: what rates the position between two rounds at which a sample ends.

`LearnedLeaf` weighs the features of each seat by tables that were fitted to the results of games
(`python -m bench train caylus`); `LEARNED` is the one that `hard`, `expert` and the analysis have.
`look_out` is the outlook of `medium`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cartulary.bots.caylus.features import list_features
from cartulary.bots.caylus.learned import TABLES
from cartulary.bots.caylus.outlook import Outlook
from cartulary.engine.caylus.places import START_SPACE
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.caylus.tables import SECTIONS

Rate = Callable[[CaylusState], list[float]]
"""Returns what a position is worth to each seat, in prestige points; the differences between the
seats count."""

Leaf = Callable[[CaylusState], Rate]
"""Takes the position of a decision, and returns what rates the ends of its samples."""

UNIT: Final = 1024
"""A weight of this much is a point. As a power of two it divides a whole number exactly, so every
machine comes to the same sums and the same ties."""

MOST_STEPS: Final = SECTIONS[-1].trigger - START_SPACE
"""Steps that the bailiff may take at most until the towers are scored."""

KNOT: Final = 6
"""The number of steps of the bailiff between two rows of weights."""

KNOTS: Final = MOST_STEPS // KNOT + 1

Rows = tuple[tuple[int, ...], ...]
"""Rows of weights by the steps that the bailiff has still to go, each by feature."""

Tables = Mapping[tuple[int, str], Rows]
"""By the number of seats and the option `favours`: a row for 0, `KNOT`, … steps."""


def look_out(state: CaylusState) -> Rate:
    """Return the outlook of a position as what rates the ends of its samples."""
    return Outlook(state).seats


def count_steps(state: CaylusState) -> int:
    """Return the steps that the bailiff has still to go until the towers are scored."""
    return max(0, SECTIONS[-1].trigger - state.bailiff)


def spread(rows: Sequence[Sequence[int]]) -> Rows:
    """Return a row for each number of steps, on the line between the rows next to it."""
    found = [tuple(rows[0])]
    for steps in range(1, KNOT * (len(rows) - 1) + 1):
        knot, far = (steps - 1) // KNOT, (steps - 1) % KNOT + 1
        pairs = zip(rows[knot], rows[knot + 1], strict=True)
        found.append(tuple([(one * (KNOT - far) + two * far) // KNOT for one, two in pairs]))
    return tuple(found)


class LearnedLeaf:
    """Rates positions by tables; a search of any decision may have the same."""

    __slots__ = ("_rows",)

    def __init__(self, tables: Tables) -> None:
        self._rows = {key: spread(rows) for key, rows in tables.items()}

    def __call__(self, _state: CaylusState) -> Rate:
        """Return what rates the ends: the same for each decision."""
        return self.rate

    def rate(self, position: CaylusState) -> list[float]:
        """Return what each seat may expect; the final scores when the game is over."""
        if position.over:
            return [float(score) for score in position.final().scores]
        row = self._rows[position.seats, str(position.options["favours"])][count_steps(position)]
        return [weigh(row, features) / UNIT for features in list_features(position)]


def weigh(row: Sequence[int], features: Sequence[int]) -> int:
    """Return the sum of the features, each times its weight."""
    total = 0
    for weight, feature in zip(row, features, strict=True):
        total += weight * feature
    return total


LEARNED: Final = LearnedLeaf(TABLES)
"""The leaf with the tables of `learned.py`."""
