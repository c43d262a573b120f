"""How well a leaf foretells the results of games that no fit has seen, by rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bench.training._games import TrainingGame, TrainingPosition
from cartulary.bots.caylus.leaf import UNIT, Rows, Tables, spread, weigh

ROUNDS: Final = ((2, 4), (5, 7), (8, 10), (11, 99))
"""The first and the last round of each group."""


class Foretold(NamedTuple):
    """A group of rounds: the positions times their seats, and R² of the outlook and of the tables.

    R² is the share of the variance of the final margins (against the mean of the others) that a
    leaf explains: 1 foretells everything, 0 nothing, and below 0 it is worse than no guess.
    """

    first: int
    rows: int
    outlook: float
    learned: float


class _Errors:
    """Sums of squares: of the margins, of the errors of the outlook and of the tables."""

    def __init__(self) -> None:
        self.rows = 0
        self.all = self.outlook = self.learned = 0.0

    def add(self, margin: float, outlook: float, learned: float) -> None:
        self.rows += 1
        self.all += margin * margin
        self.outlook += (margin - outlook) * (margin - outlook)
        self.learned += (margin - learned) * (margin - learned)


def judge_leaf(games: Sequence[TrainingGame], tables: Tables) -> list[Foretold]:
    """Return what both leaves foretell of some games, for each group of rounds with positions."""
    rows = {key: spread(one) for key, one in tables.items()}
    errors = [_Errors() for _ in ROUNDS]
    for game in games:
        margins = _lead(list(map(float, game.scores)))
        for position in game.positions:
            for (first, last), sums in zip(ROUNDS, errors, strict=True):
                if first <= position.round <= last:
                    learned = _rate(rows[game.key], position)
                    for one in zip(margins, _lead(position.outlook), _lead(learned), strict=True):
                        sums.add(*one)
    return [
        Foretold(first, sums.rows, 1 - sums.outlook / sums.all, 1 - sums.learned / sums.all)
        for (first, _), sums in zip(ROUNDS, errors, strict=True)
        if sums.all
    ]


def _rate(rows: Rows, position: TrainingPosition) -> list[float]:
    row = rows[position.steps]
    return [weigh(row, features) / UNIT for features in position.features]


def _lead(values: Sequence[float]) -> list[float]:
    """Return, by seat, the value less the mean of the others."""
    total = 0.0
    for value in values:
        total += value
    return [value - (total - value) / (len(values) - 1) for value in values]
