"""The levels round `medium`: what `easy` does not see, and how far the others look ahead."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.carcassonne.easy import (
    REMINDED,
    CarelessRatings,
    ForgetfulRatings,
    play_easily,
)
from cartulary.bots.carcassonne.ratings import FIELD, Ratings
from cartulary.bots.carcassonne.search import HARD, SearchEffort
from cartulary.bots.carcassonne.sight import (
    ABLE,
    GOOD,
    STRONG,
    think_ably,
    think_strongly,
    think_well,
)
from cartulary.bots.thought import Budget, Think
from cartulary.engine.carcassonne.position import PLACE_TILE
from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES
from tests.bots.carcassonne.test_greedy import follower, place, puzzle
from tests.bots.carcassonne.test_search import middle_of_a_game

FARM = [place(0, -1, 180), follower("f0")]


def test_easy_never_farms_with_two_seats() -> None:
    kinds = _list_kinds(2)
    assert set(kinds) == {"c", "r", "m"}


def test_the_farms_of_others_remind_easy_late_at_a_table_of_many() -> None:
    kinds = _list_kinds(4)
    assert set(kinds) == {"c", "r", "m", "f"}
    assert kinds["f"] <= REMINDED[4] < kinds["m"]


def _list_kinds(seats: int) -> dict[str, int]:
    """Return what followers stood on in a game of `easy`, each with the tiles left at first."""
    rng, rules = random.Random(3), GAMES["carcassonne"]
    source = RandomSource(rng)
    state = rules.new(seats, rules.check(seats, {}), {})
    state.settle(source)
    kinds = dict[str, int]()
    while not state.over:
        left = state.left  # type: ignore[attr-defined]
        state.play(play_easily(state, rng))  # type: ignore[arg-type]
        for *_, segment in _list_followers(state.view()):
            kinds.setdefault(segment[0], left)
        state.settle(source)
    return kinds


def _list_followers(view: dict[str, object]) -> list[tuple[int, str]]:
    board = view["board"]
    assert isinstance(board, list)
    return [
        (one["follower"]["seat"], one["follower"]["segment"]) for one in board if one["follower"]
    ]


def test_farms_and_saved_followers_are_worth_nothing_to_easy() -> None:
    state = puzzle("EEU", FARM)
    forgetful, knowing = ForgetfulRatings(state), Ratings(state)
    (farm,) = {state.features.root(node) for node in state.pieces}
    assert knowing.rate_before(farm, FIELD) != 0
    assert forgetful.rate_before(farm, FIELD) == 0
    assert knowing.rate_supply(0, 1) < 0 == forgetful.rate_supply(0, 1)


def test_followers_are_worth_nothing_to_easy_that_is_reminded_of_its_farms() -> None:
    state = puzzle("EEU", FARM)
    careless, knowing = CarelessRatings(state), Ratings(state)
    (farm,) = {state.features.root(node) for node in state.pieces}
    assert careless.rate_before(farm, FIELD) == knowing.rate_before(farm, FIELD)
    assert knowing.rate_supply(0, 1) < 0 == careless.rate_supply(0, 1)


def test_easy_sees_a_place_at_least() -> None:
    class Blind(random.Random):
        def random(self) -> float:
            return 0.0

    state = middle_of_a_game()
    assert play_easily(state, Blind(1)) in state.moves()


@pytest.mark.parametrize(
    ("sight", "think"), [(ABLE, think_ably), (GOOD, think_well), (STRONG, think_strongly)]
)
def test_a_level_considers_no_more_answers_than_it_sees(sight: SearchEffort, think: Think) -> None:
    state = middle_of_a_game()
    assert state.kind == PLACE_TILE
    thought = think(state, random.Random(1), Budget(4 * sight.width))
    assert len(thought.values) == sight.width < HARD.width
    assert sight.count_turns(5) == sight.count_turns(2) <= HARD.count_turns(2)
