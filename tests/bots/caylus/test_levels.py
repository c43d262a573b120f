"""The levels round `medium`: what `easy` does not see, and how far the others look ahead."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.caylus.easy import BEGINNER, OVERLOOKED, play_easily
from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.leaf import LEARNED, Leaf, look_out
from cartulary.bots.caylus.outlook import Outlook
from cartulary.bots.caylus.search import ALL, play_out, think
from cartulary.bots.caylus.sight import (
    ABLE,
    GOOD,
    STRONG,
    think_ably,
    think_strongly,
    think_well,
)
from cartulary.bots.caylus.weights import MEDIUM
from cartulary.bots.thought import Budget, Think
from tests.bots.caylus.test_search import middle_of_a_game


class SeesNothing(random.Random):
    """Sees nothing."""

    def random(self) -> float:
        return 0.0


def test_easy_has_no_plan_for_the_castle() -> None:
    state = middle_of_a_game()
    outlooks = Outlook(state, BEGINNER), Outlook(state, MEDIUM)
    mine, theirs = (one.section(state, 0, 1) - one.section(state, 0, 0) for one in outlooks)
    assert 0 < mine < theirs


def test_easy_trusts_the_provost() -> None:
    """A worker near him is safe to it; `medium` knows that he may go back."""
    state = middle_of_a_game()
    trusting, wary = judge(state, MEDIUM._replace(sure=BEGINNER.sure)), judge(state, MEDIUM)
    differing = [
        state.provost - move.number
        for move, trust, fear in zip(state.moves(), trusting, wary, strict=True)
        if trust != fear
    ]
    assert differing
    assert max(differing) < MEDIUM.sure


@pytest.mark.slow
def test_easy_sees_a_move_at_least_and_most_of_them_mostly() -> None:
    state = middle_of_a_game()
    moves = state.moves()
    assert play_easily(state, SeesNothing(1)) in moves
    worths = judge(state, BEGINNER)
    best = moves[worths.index(max(worths))]
    alike = worths.count(max(worths))
    found = [play_easily(state, random.Random(seed)) == best for seed in range(100)]
    assert 70 < alike * sum(found) <= 100 * alike * (1 - OVERLOOKED / 2)


def test_a_level_that_foresees_all_choices_is_the_search_of_hard() -> None:
    state = middle_of_a_game()
    move = state.moves()[1]
    far, near = (play_out(state, move, 1, foreseen).dump() for foreseen in (ALL, 0))
    assert far == play_out(state, move, 1).dump() != near


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("level", "leaf", "foreseen"),
    [
        (think_ably, look_out, ABLE),
        (think_well, look_out, GOOD),
        (think_strongly, LEARNED, STRONG),
    ],
)
def test_a_level_foresees_what_its_number_of_seats_says(
    level: Think, leaf: Leaf, foreseen: dict[int, int], seats: int
) -> None:
    state = middle_of_a_game(seats)
    found = level(state, random.Random(1), Budget(2))
    assert found == think(state, random.Random(1), Budget(2), 1, leaf, foreseen[seats])
    assert found != think(state, random.Random(1), Budget(2), 1, leaf)


def test_no_level_foresees_less_at_a_larger_table_than_with_two_seats() -> None:
    for foreseen in (ABLE, GOOD):
        assert min(foreseen.values()) == foreseen[2]
    for seats in (2, 3, 4, 5):
        assert ABLE[seats] < GOOD[seats]


def test_no_player_places_another_worker_beyond_what_is_foreseen() -> None:
    state = middle_of_a_game()
    move = next(move for move in state.moves() if move.json["type"] == "place_worker")
    end = play_out(state, move, 1, 0)
    assert end.round == state.round + 1
