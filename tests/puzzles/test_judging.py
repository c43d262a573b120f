"""What the lines of a position are worth: whole numbers, from samples that all lines share."""

from __future__ import annotations

import random
from math import exp
from typing import Any

import pytest

from cartulary.bots.analysis.base import Analyst, Plan, SampleOutcome
from cartulary.engine.core import State
from cartulary.games import OFFERS
from cartulary.puzzles.judging import (
    POINT,
    WHOLE,
    JudgedLine,
    LineJudge,
    Thinking,
    compare_lines,
    share_wins,
)
from cartulary.puzzles.tables import play_table


@pytest.mark.parametrize("lead", [0.0, 0.5, 3.0, 7.5, 20.0])
def test_a_lead_wins_as_often_as_the_analysis_says(lead: float) -> None:
    first, second = share_wins([round(lead * POINT), 0], round(6.8 * POINT))
    assert first / WHOLE == pytest.approx(1 / (1 + exp(-lead / 6.8)), abs=0.005)
    assert first + second == pytest.approx(WHOLE, abs=2)


def test_at_the_end_the_best_seats_share_the_win() -> None:
    assert share_wins([5, 9, 9], 0) == [0, WHOLE // 2, WHOLE // 2]
    assert share_wins([5, 9, 8], 0) == [0, WHOLE, 0]


def test_two_lines_are_compared_over_the_samples_that_both_have() -> None:
    one, other = JudgedLine((1,)), JudgedLine((2,))
    one.margins, one.wins = [4, 6, 100], [10, 20, 1000]
    other.margins, other.wins = [1, 2], [5, 5]
    assert compare_lines(one, other) == (7 // 2, 20 // 2)


class Scripted(Analyst[Any]):
    """Gives each line the margins of a table, sample by sample."""

    def __init__(self, margins: dict[int, list[int]]) -> None:
        self.margins = margins
        self.asked: list[tuple[int, int]] = []

    def list_plans(self, state: Any, rng: random.Random, width: int) -> list[Plan]:
        return [(move,) for move in self.margins][:width]

    def complete(self, state: Any, moves: Plan) -> list[Plan]:
        return [moves]

    def continues(self, state: Any) -> bool:
        return False

    def draw_samples(self, state: Any, rng: random.Random, count: int, first: int = 0) -> list[int]:
        return list(range(count))

    def play_out(self, state: Any, plan: Plan, sample: int) -> SampleOutcome:
        self.asked.append((plan[0], sample))
        return SampleOutcome([self.margins[plan[0]][sample], 0], 5.0)


def test_a_line_that_looks_well_with_few_samples_gets_all_of_them() -> None:
    """The second line is the best after one sample, and the third comes near after all."""
    analyst = Scripted({1: [5, 5, 5, 5], 2: [6, -9, -9, -9], 3: [4, 5, 5, 4], 4: [-9] * 4})
    state: Any = OFFERS["caylus"].rules.new(
        2, {}, OFFERS["caylus"].rules.draw_setup(2, {}, random.Random(1))
    )
    lines = LineJudge(analyst, state, "x").judge(
        analyst.list_plans(state, random.Random(), 9), Thinking(9, 1, 2, 4)
    )
    assert [line.plan for line in lines][:2] == [(1,), (3,)]
    assert [len(line.margins) for line in lines] == [4, 4, 4, 1]


def test_a_position_in_which_many_lines_are_close_is_left_at_once() -> None:
    analyst = Scripted({move: [3, 3, 3, 3] for move in range(5)})
    state: State[Any] = OFFERS["caylus"].rules.new(
        2, {}, OFFERS["caylus"].rules.draw_setup(2, {}, random.Random(1))
    )
    plans = analyst.list_plans(state, random.Random(), 9)
    assert LineJudge(analyst, state, "x").judge(plans, Thinking(9, 1, 2, 4)) == []
    assert len(analyst.asked) == 5


@pytest.mark.slow
def test_a_seed_and_a_number_are_one_game_at_tables_of_all_kinds() -> None:
    offer = OFFERS["carcassonne"]
    games = [play_table(offer, "s", number) for number in range(4)]
    assert games[0] == play_table(offer, "s", 0)
    assert games[0] != play_table(offer, "t", 0)
    assert len({(game.seats, game.options["tiny_city"]) for game in games}) > 1
    assert all(game.result is not None for game in games)
