"""Glicko-2 against the worked example of its paper, and what holds of every game."""

from __future__ import annotations

import pytest

from cartulary.ratings.glicko import HIGHEST, LOWEST, Skill, meet, predict


def test_the_first_game_of_the_worked_example_of_the_paper() -> None:
    # Glickman's example alone: 1500/200 beats 1400/30. g = 0.9955, E = 0.639, v = 4.374 there;
    # one game of it gives phi* = 1.1513, phi' = 1.0104 and mu' = 0.3669 by hand.
    after = meet(Skill(1500, 200, 0.06), Skill(1400, 30), 1.0)
    assert after.rating == pytest.approx(1563.6, abs=0.3)
    assert after.deviation == pytest.approx(175.4, abs=0.3)
    assert after.volatility == pytest.approx(0.06, abs=0.0001)


def test_a_win_lifts_a_loss_lowers_and_both_make_surer() -> None:
    for other in (Skill(1100), Skill(1500, 80), Skill(2100, 50)):
        won, lost = meet(Skill(), other, 1.0), meet(Skill(), other, 0.0)
        assert won.rating > 1500 > lost.rating
        assert max(won.deviation, lost.deviation) < Skill().deviation


def test_a_surprise_moves_further_than_what_was_expected() -> None:
    strong, weak = Skill(2000, 60), Skill(1000, 60)
    gained = meet(weak, strong, 1.0).rating - weak.rating
    assert gained > 10 * (meet(strong, weak, 1.0).rating - strong.rating) > 0
    assert meet(weak, strong, 1.0).volatility > weak.volatility


def test_a_hundred_surprises_end_within_the_scale() -> None:
    winner, loser = Skill(), Skill()
    for _ in range(200):
        winner, loser = meet(winner, Skill(2800, 45), 1.0), meet(loser, Skill(600, 45), 0.0)
    assert winner.rating == HIGHEST
    assert loser.rating == LOWEST


def test_the_chances_of_two_are_one() -> None:
    one, other = Skill(1900, 120), Skill(1500, 60)
    assert predict(one, other) + predict(other, one) == pytest.approx(1)
    assert predict(Skill(1900, 1), Skill(1500, 1)) == pytest.approx(10 / 11, abs=0.001)
