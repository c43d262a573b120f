"""The comparison of plans, the marks, and what a draw is worth."""

from __future__ import annotations

import random
from math import sqrt

import pytest

import cartulary
from cartulary.bots.analysis.base import Marks, SampleOutcome, find_scale
from cartulary.bots.analysis.carcassonne import ANALYST as CARCASSONNE
from cartulary.bots.analysis.caylus import ANALYST as CAYLUS
from cartulary.bots.analysis.decisions import choose_mark
from cartulary.bots.analysis.rating import Rated, compare, rate_plans, share_win
from cartulary.bots.analysis.tile_luck import weigh_farms
from cartulary.bots.carcassonne.weights import WEIGHTS
from cartulary.engine.carcassonne.state import CarcassonneState
from tests.bots.analysis.games import SMALL

MARKS = Marks(inaccuracy=1.0, mistake=2.0, blunder=4.0)


def make_rated(*margins: float) -> Rated:
    rated = Rated(("move",))
    for margin in margins:
        rated.add(SampleOutcome([margin, 0.0], 5.0), 0)
    return rated


def test_the_error_is_that_of_the_differences_and_not_of_the_values() -> None:
    gap = compare(make_rated(10, 20, 30), make_rated(9, 18, 29))
    assert gap.margin == pytest.approx(4 / 3)
    assert gap.error == pytest.approx(sqrt((1 / 9 + 4 / 9 + 1 / 9) / 2 / 3))


def test_plans_are_compared_by_the_samples_that_both_have() -> None:
    assert compare(make_rated(10, 20, 90), make_rated(9, 19)).margin == 1


def test_the_mean_of_equal_samples_is_the_sample_on_every_python() -> None:
    assert make_rated(*[0.1] * 10).margin == 0.1


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [
        (0.0, 0.0, "best"),
        (0.9, 0.0, "good"),
        (1.0, 0.0, "inaccuracy"),
        (1.9, 1.0, "good"),
        (2.0, 0.0, "mistake"),
        (3.99, 0.0, "mistake"),
        (4.0, 0.0, "blunder"),
        (9.0, 5.5, "mistake"),
    ],
)
def test_a_mark_follows_from_the_loss_less_its_error(loss: float, error: float, mark: str) -> None:
    assert choose_mark(loss, error, MARKS) == mark


def test_the_thresholds_of_every_game_ascend() -> None:
    for analyst in (CARCASSONNE, CAYLUS):
        assert 0 < analyst.marks.inaccuracy < analyst.marks.mistake < analyst.marks.blunder


def test_a_finished_game_is_won_by_the_most_points_and_shared_by_equal_points() -> None:
    assert share_win(SampleOutcome([10, 12, 12], 0.0)) == [0, 0.5, 0.5]


def test_shares_of_the_win_add_up_and_follow_the_points() -> None:
    shares = share_win(SampleOutcome([10, 14, 12], 6.0))
    assert sum(shares) == pytest.approx(1)
    assert shares[0] < shares[2] < shares[1]
    assert share_win(SampleOutcome([6.0, 0.0], 6.0))[0] == pytest.approx(0.731, abs=0.001)


@pytest.mark.parametrize(("left", "scale"), [(-1, 2), (0, 2), (5, 3), (10, 4), (15, 7), (99, 10)])
def test_a_scale_lies_between_the_rows_of_its_table(left: int, scale: float) -> None:
    assert find_scale(((0, 2.0), (10, 4.0), (20, 10.0)), left) == scale


def test_what_was_played_is_compared_though_the_search_would_not_consider_it() -> None:
    state = cartulary.new_game("carcassonne", 2, seed=4).state
    assert isinstance(state, CarcassonneState)
    worst = CARCASSONNE.list_plans(state, random.Random(1), 1000)[-1]
    rated = rate_plans(CARCASSONNE, state, worst, SMALL, random.Random(1))
    made = next(one for one in rated if one.plan == worst)
    assert len(made.margins) == SMALL.first + SMALL.more == len(rated[0].margins)


def test_farms_count_for_luck_at_the_end_alone() -> None:
    early, late = weigh_farms(71), weigh_farms(0)
    assert (early.farm, early.later_cities, early.farm_end) == (0, 0, 0)
    assert late == WEIGHTS
    shares = [weigh_farms(left).farm for left in range(72)]
    assert shares == sorted(shares, reverse=True)
    assert early._replace(farm=late.farm, later_cities=30, farm_end=8) == WEIGHTS


def test_luck_adds_up_to_nothing_over_all_draws_of_a_position() -> None:
    match = cartulary.new_game("carcassonne", 2, seed=5)
    while len(match.moves) < 116 or match.state.kind != "place_tile":
        match.play_bot("medium")
    state = match.state
    assert isinstance(state, CarcassonneState)
    bag = state.bag[:]
    bag[state.tile] += 1
    total = weight = 0.0
    lucks = []
    for tile, count in enumerate(bag):
        twin = state.copy()
        twin.bag = bag[:]
        twin.bag[tile] -= 1
        twin.tile, twin.legal = tile, twin.board.placements(tile)
        if count and twin.legal:
            lucks.append(CARCASSONNE.rate_luck(twin, random.Random(5)))
            total += count * lucks[-1]
            weight += count
    assert total / weight == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 1
    assert min(lucks) < -0.5
