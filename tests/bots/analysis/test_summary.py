"""The summary of a game, seat by seat."""

from __future__ import annotations

from math import exp

import pytest

from cartulary.bots.analysis import NoAnalysis, describe, summarise
from cartulary.bots.analysis.summary import find_turning_points
from cartulary.engine.core import Json
from tests.bots.analysis.games import QUICK
from tests.support.games import ALL_OFFERS

CAYLUS = QUICK["caylus"]
TOLERANCE = CAYLUS.analyst.tolerance if CAYLUS.analyst else 0.0


def decision(version: int, seat: int, win: float = 0.5, **more: object) -> Json:
    base = {"version": version, "seat": seat, "win": win, "loss": 0.0, "error": 0.0, "luck": 0.0}
    return {**base, "alternatives": [{}], **more}


def test_a_seat_that_always_finds_the_best_move_is_fully_accurate() -> None:
    (first, second) = summarise([decision(3, 0), decision(4, 1)], CAYLUS, 2)
    assert first == second == {"accuracy": 100, "loss": 0, "luck": 0, "turning_points": []}


def test_accuracy_is_a_mean_over_decisions_with_a_choice() -> None:
    decisions = [
        decision(3, 0, loss=TOLERANCE + 0.5, error=0.5, luck=1.5),
        decision(4, 0, luck=-2.0),
        decision(5, 0, alternatives=[]),
    ]
    (first, second) = summarise(decisions, CAYLUS, 2)
    assert first["accuracy"] == round(100 * (exp(-1) + 1) / 2, 1)
    assert (first["loss"], first["luck"]) == (TOLERANCE + 0.5, -0.5)
    assert second["accuracy"] == 100


def test_a_loss_within_its_error_costs_no_accuracy() -> None:
    (first, _) = summarise([decision(3, 0, loss=0.4, error=0.5)], CAYLUS, 2)
    assert first["accuracy"] == 100


def test_the_result_turns_where_a_seat_falls_behind() -> None:
    wins = [0.52, 0.58, 0.53, 0.47, 0.44, 0.46, 0.56]
    decisions = [decision(3 + n, 0, win) for n, win in enumerate(wins)]
    assert find_turning_points(decisions, 0, 2) == [7, 9]
    assert find_turning_points(decisions, 1, 2) == [7, 9]


def test_a_leap_is_a_turning_point_on_the_same_side() -> None:
    decisions = [decision(3, 0, 0.6), decision(4, 1, 0.2), decision(5, 0, 0.82)]
    assert find_turning_points(decisions, 0, 2) == [4]


def test_with_three_seats_only_the_own_decisions_count() -> None:
    decisions = [decision(3, 0, 0.2), decision(4, 1, 0.9), decision(5, 0, 0.5)]
    assert find_turning_points(decisions, 0, 3) == [5]
    assert find_turning_points(decisions, 2, 3) == []


def test_the_greatest_turns_are_kept() -> None:
    wins = [0.5, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.44, 0.56]
    points = find_turning_points([decision(n, 0, win) for n, win in enumerate(wins)], 0, 2)
    assert points == [2, 3, 4, 5, 6]


def test_the_whole_analysis_is_done() -> None:
    whole = describe([decision(3, 0)], CAYLUS, 2, "hard")
    assert list(whole) == ["status", "progress", "level", "decisions", "seats"]
    assert (whole["status"], whole["progress"], whole["level"]) == ("done", 1.0, "hard")


def test_a_game_without_an_analyst_has_no_summary() -> None:
    with pytest.raises(NoAnalysis):
        summarise([], ALL_OFFERS["tictactoe"], 2)
