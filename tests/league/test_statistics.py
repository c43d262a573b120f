"""Intervals against known values, and the sequential test on made-up results."""

from __future__ import annotations

import random

import pytest

from cartulary.league.statistics import BOUND, Hypotheses, average_cells, decide, find_interval


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(5, 10, 0.237, 0.763), (90, 100, 0.826, 0.945), (0, 9, 0, 0.299), (50.5, 56, 0.796, 0.956)],
)
def test_the_interval_of_a_share_of_wins_is_that_of_wilson(
    won: float, games: int, low: float, high: float
) -> None:
    assert find_interval(won, games) == pytest.approx((low, high), abs=0.001)


def test_the_mean_of_cells_weighs_each_cell_the_same() -> None:
    mean = average_cells([(9, 10, 1), (50, 100, 1)])
    assert mean.value == pytest.approx(0.7)
    assert mean.low < 0.7 < mean.high
    alone = average_cells([(90, 100, 1)])
    assert (alone.low, alone.high) == pytest.approx(find_interval(90, 100))
    assert average_cells([(4, 10, 3.0)]).value == pytest.approx(1.2)


def play(test: Hypotheses, share: float, rng: random.Random, most: int = 5000) -> tuple[str, int]:
    """Play games that are won with a chance of `share` until the test ends."""
    won = 0
    for games in range(1, most):
        won += rng.random() < share
        if found := decide(test.weigh(won, games)):
            return found, games
    return "", most


@pytest.mark.parametrize(("share", "accepted"), [(0.90, "H1"), (0.85, "H0"), (0.97, "H1")])
def test_a_sequential_test_is_wrong_in_one_of_twenty_runs_at_most(
    share: float, accepted: str
) -> None:
    rng = random.Random(1)
    runs = [play(Hypotheses(0.85, 0.90), share, rng) for _ in range(200)]
    assert sum(found == accepted for found, _ in runs) >= 187


def test_a_clear_result_needs_few_games() -> None:
    assert play(Hypotheses(0.85, 0.90), 1.0, random.Random(2)) == ("H1", 52)
    assert decide(0) == ""
    assert decide(BOUND) == "H1"
    assert decide(-BOUND) == "H0"


def test_a_shared_win_is_half_a_win_and_half_a_loss() -> None:
    test = Hypotheses(0.4, 0.6)
    assert test.weigh(1, 2) == pytest.approx(0)
    assert test.weigh(0.5, 1) == pytest.approx(0)
