"""What is tuned of each game."""

from __future__ import annotations

import random

import pytest

import cartulary
from bench.games import tune
from cartulary.bots import Budget
from cartulary.games import OFFERS
from cartulary.league.tuning import scale_fields


def test_every_game_with_a_search_has_weights_to_tune_and_players_kept_aside() -> None:
    searching = {name for name, offer in OFFERS.items() if "hard" in offer.bots}
    assert {make(8).game for make, _ in tune.PLANS.values()} == searching
    for make, aside in tune.PLANS.values():
        assert aside
        assert not set(aside) & set(make(8).pool)


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("player", tune.PLANS)
def test_weights_that_are_scaled_far_still_play(player: str, factor: float) -> None:
    plan = tune.PLANS[player][0](4)
    think = plan.make(scale_fields(plan.weights, dict.fromkeys(plan.fields, factor)))
    match = cartulary.new_game(plan.game, 2, seed=1)
    for _ in range(12):
        match.play_bot("medium")
    assert think(match.state, random.Random(1), Budget(4)).moves[0] in match.state.moves()


def test_whole_numbers_stay_whole_when_they_are_scaled() -> None:
    plan = tune.PLANS["carcassonne-hard"][0](4)
    scaled = scale_fields(plan.weights, {"city": 1.1, "supply": 1.1})
    assert scaled.city == round(1.1 * plan.weights.city)
    assert all(type(points) is int for points in scaled.supply)


def test_an_unknown_field_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SystemExit, match="no field half_time; city, road"):
        tune.main(0, "carcassonne-hard", 1, 1, "seed", "half_time", "out")


def test_the_weights_of_a_tree_decide_where_its_iterations_go() -> None:
    plan = tune.PLANS["caylus-expert"][0](40)
    match = cartulary.new_game("caylus", 2, seed=1)
    for _ in range(20):
        match.play_bot("medium")
    samples = set()
    for curiosity in (0.1, 1.0, 10.0):
        think = plan.make(scale_fields(plan.weights, {"curiosity": curiosity}))
        values = think(match.state, random.Random(1), Budget(40)).values
        samples.add(tuple(value.samples for value in values))
    assert len(samples) == 3
