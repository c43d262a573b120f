"""How sure a share of wins is: intervals, and a test that says when enough games were played."""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt
from typing import Final, NamedTuple

Z: Final = 1.959964
"""Standard errors on each side of an interval of 95 %."""

ALPHA: Final = 0.05
"""How often the sequential test may be wrong, each way."""

BOUND: Final = log((1 - ALPHA) / ALPHA)
"""The sequential test ends when the logarithm of the ratio of likelihoods leaves ± this."""


def find_interval(won: float, games: int) -> tuple[float, float]:
    """Return the interval of Wilson for a share of wins, with 95 %.

    The games count as independent, though those of a pair have the same draws.
    """
    share, square = won / games, Z * Z / games
    centre = share + square / 2
    reach = sqrt(square * (share * (1 - share) + square / 4))
    return max(0.0, (centre - reach) / (1 + square)), min(1.0, (centre + reach) / (1 + square))


class Mean(NamedTuple):
    """An average, with the bounds of its interval of 95 %."""

    value: float
    low: float
    high: float


def average_cells(cells: Iterable[tuple[float, int, float]]) -> Mean:
    """Return the mean of several cells: (sum of wins, games, factor of the cell) each.

    Every cell weighs the same. The interval adds up the variances of the cells, each taken from the
    middle of its interval of Wilson, so that a cell without a loss is not taken for certain.
    """
    total = low = high = 0.0
    count = 0
    for won, games, factor in cells:
        share = won / games
        below, above = find_interval(won, games)
        total += factor * share
        low += (factor * (share - below)) ** 2
        high += (factor * (above - share)) ** 2
        count += 1
    value = total / count
    return Mean(value, value - sqrt(low) / count, value + sqrt(high) / count)


class Hypotheses(NamedTuple):
    """A sequential test of a share of wins: `lower` is H0, `upper` is H1."""

    lower: float
    upper: float

    def weigh(self, won: float, games: int) -> float:
        """Return the logarithm of the ratio of likelihoods, positive in favour of `upper`.

        A shared win counts with its share.
        """
        lost = games - won
        return won * log(self.upper / self.lower) + lost * log((1 - self.upper) / (1 - self.lower))


def decide(ratio: float) -> str:
    """Return `H1`, `H0`, or an empty string as long as the test needs more games (Wald's SPRT)."""
    if ratio >= BOUND:
        return "H1"
    return "H0" if ratio <= -BOUND else ""
