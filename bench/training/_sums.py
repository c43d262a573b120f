"""What a fit needs of the games: sums of whole numbers, so their order and number never matter.

A row is what the features of a seat differ from the mean of the others, times the number of the
others; its result is the same of the final scores. So rows and results are whole numbers, and
what all seats have in common is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bench.training._games import TrainingGame
from cartulary.bots.caylus.features import NAMES
from cartulary.bots.caylus.leaf import MOST_STEPS

SIZE: Final = len(NAMES)


def compare_seats(values: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return, by seat, the values times the other seats, less the sum of those of the others."""
    totals = [sum(column) for column in zip(*values, strict=True)]
    seats = len(values)
    return [[seats * one - total for one, total in zip(row, totals, strict=True)] for row in values]


class StepSums:
    """The sums over the positions with one number of steps to go.

    `grams[j][k - j]` adds up feature j times feature k (k ≥ j), `moments[j]` feature j times the
    result. `rows` counts.
    """

    def __init__(self) -> None:
        self.grams = [[0] * (SIZE - j) for j in range(SIZE)]
        self.moments = [0] * SIZE
        self.rows = 0

    def add(self, row: Sequence[int], result: int) -> None:
        """Count a row."""
        filled = [(j, one) for j, one in enumerate(row) if one]
        for at, (j, one) in enumerate(filled):
            gram = self.grams[j]
            for k, two in filled[at:]:
                gram[k - j] += one * two
            self.moments[j] += one * result
        self.rows += 1


class CellSums:
    """The sums of the games of one table, by steps to go."""

    def __init__(self) -> None:
        self.steps = [StepSums() for _ in range(MOST_STEPS + 1)]

    def add(self, game: TrainingGame) -> None:
        """Count the positions of a game."""
        results = [row[0] for row in compare_seats([[score] for score in game.scores])]
        for position in game.positions:
            sums = self.steps[position.steps]
            for row, result in zip(compare_seats(position.features), results, strict=True):
                sums.add(row, result)


def list_cells() -> Iterator[tuple[int, str]]:
    """Yield the keys of all tables."""
    yield from ((seats, favours) for seats in range(2, 6) for favours in ("table", "simplified"))
