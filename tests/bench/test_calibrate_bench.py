"""What the tables of the analysis rest on."""

from __future__ import annotations

import random

import pytest

from bench.games import calibrate
from bench.games.calibrate import Estimate, compare_tenths, fit_parts, fit_scale
from cartulary.bots.analysis.base import SampleOutcome


def estimate(rng: random.Random, scale: float) -> Estimate:
    """The result of a game as likely as a scale of 10 says."""
    lead = rng.uniform(-30, 30)
    wins = rng.random() < 1 / (1 + 2.718281828 ** (-lead / 10))
    return Estimate([SampleOutcome([lead, 0.0], scale)], [0 if wins else 1])


def test_the_scale_is_found_again_that_made_the_results() -> None:
    rng = random.Random(1)
    assert fit_scale([estimate(rng, 1.0) for _ in range(500)]) == pytest.approx(10, abs=2.5)


def test_each_part_of_the_games_has_a_scale_and_finished_games_none() -> None:
    rng = random.Random(1)
    estimates = [estimate(rng, scale) for scale in range(5) for _ in range(80)]
    parts = fit_parts(estimates)
    assert len(parts) == calibrate.PARTS
    assert sum(part["estimates"] for part in parts.values()) == 320
    tables = [part["table"] for part in parts.values()]
    assert tables == sorted(tables)


def test_a_game_gives_estimates_with_its_winners() -> None:
    measured = calibrate.main(0.0, "carcassonne", seats=2, games=1, analysed=0, seed=1)
    assert sum(part["estimates"] for part in measured["scales"].values()) >= 3
    assert measured["levels"]["easy"]["decisions"] == 0


def test_shares_that_are_foretold_well_are_won_as_often() -> None:
    rng = random.Random(1)
    tenths = compare_tenths([estimate(rng, 10.0) for _ in range(4000)])
    assert list(tenths) == [f"from_{10 * number}_%" for number in range(10)]
    assert sum(one["shares"] for one in tenths.values()) == 8000
    for one in tenths.values():
        assert one["won"] == pytest.approx(one["foretold"], abs=0.06)
    sure = compare_tenths([Estimate([SampleOutcome([3.0, 0.0], 0.1)], [1])] * 5)
    assert (sure["from_90_%"]["won"], sure["from_0_%"]["won"]) == (0, 1)
    assert compare_tenths([Estimate([SampleOutcome([3.0, 0.0], 0.0)], [0])]) == {}


def test_the_share_of_a_position_is_the_mean_of_its_samples() -> None:
    ends = [SampleOutcome([6.0, 0.0], 6.0), SampleOutcome([0.0, 2.0], 0.0)]
    found = Estimate(ends, [0])
    assert found.scale == 3.0
    assert found.find_shares() == pytest.approx([0.731 / 2, 1 - 0.731 / 2], abs=0.001)
    assert found.find_shares(1e9) == pytest.approx([0.25, 0.75])


def test_the_scale_of_several_samples_is_that_of_their_mean_share() -> None:
    rng = random.Random(2)
    estimates = []
    for _ in range(250):
        lead = rng.uniform(-30, 30)
        ends = [
            SampleOutcome([lead + rng.gauss(0, 15), 0.0], 1.0) for _ in range(calibrate.SAMPLES)
        ]
        share = Estimate(ends, [0]).find_shares(5)[0]
        estimates.append(Estimate(ends, [0 if rng.random() < share else 1]))
    single = [Estimate(one.outcomes[:1], one.winners) for one in estimates]
    assert fit_scale(estimates) == pytest.approx(5, abs=2.5)
    assert fit_scale(single) > fit_scale(estimates) + 3
