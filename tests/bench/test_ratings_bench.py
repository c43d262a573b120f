"""The bench of ratings: what it measures holds on a small population, and is sensitive."""

from __future__ import annotations

import random

import pytest

from bench.games import ratings
from bench.games.ratings import Population, find_bins, make_elo, make_fold


def test_both_raters_find_the_order_of_known_strengths() -> None:
    games = [(("ada", "bob", "eve"), (1, 2, 3))] * 20
    for rater in (make_fold(), make_elo()):
        for seated, ranks in games:
            rater.follow("many", seated, ranks)
        chances = rater.predict("many", ("ada", "bob", "eve"))
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1)


def test_players_grow_and_leave_as_stated() -> None:
    people = Population(random.Random(1), 50, 200)
    before = {f"player {number}": people.read_strength(f"player {number}") for number in range(50)}
    assert len(list(people.play())) == 200
    grown = [people.read_strength(player) - first for player, first in before.items()]
    assert {round(one) for one in grown} == {0, 300}
    assert sum(not people.is_here(player) for player in before) == 5


def test_a_small_run_says_everything() -> None:
    found = ratings.main(players=20, games=400, bots=0)["population"]
    assert found["counted"] > 100
    assert {"log_loss", "error", "calibration", "chance"} <= found["fold"].keys() & {*found["elo"]}
    assert 0 < found["fold"]["within"]["deviations_1"] <= found["fold"]["within"]["deviations_2"]


def test_a_bin_says_how_far_it_is_off_and_what_chance_alone_does() -> None:
    shares = [(0.1, 0.0)] * 1000 + [(0.5, float(number % 2)) for number in range(9000)]
    first, *others = find_bins(shares)
    assert first.bias == pytest.approx(0.1)
    assert first.chance == pytest.approx(0.019, abs=0.001)
    assert max(one.bias for one in others) == pytest.approx(0)
