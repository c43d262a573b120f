"""The worths of a turn: computed change by change, they equal the outlook after each move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.bots.carcassonne.outlook import Outlook
from cartulary.bots.carcassonne.turn import list_answers, list_worths
from cartulary.bots.randomly import play_randomly
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES
from tests.support.night import each_or_all, short_or_long

CARCASSONNE = GAMES["carcassonne"]
MOST = short_or_long(2, None)
"""By day few and many seats, each with one worth of a small city; at night all."""


def positions(seats: int, tiny_city: int, seed: int) -> Iterator[CarcassonneState]:
    """Every decision of a game; each fifth move is random, so the features are of all kinds."""
    rng = random.Random(seed)
    source = RandomSource(rng)
    state = CARCASSONNE.new(seats, CARCASSONNE.check(seats, {"tiny_city": tiny_city}), {})
    assert isinstance(state, CarcassonneState)
    state.settle(source)
    while not state.over:
        yield state
        bot = play_randomly if rng.random() < 0.2 else play_greedily
        state.play(bot(state, rng))
        state.settle(source)


def after(state: CarcassonneState, *moves: int) -> CarcassonneState:
    position = state.copy()
    for move in moves:
        position.play(move)
    return position


def judge(outlook: Outlook, position: CarcassonneState, seat: int) -> int:
    """The worth of a position at the end of a turn, from the outlook of every seat."""
    values = outlook.seats(position)
    return (position.seats - 1) * values[seat] - (sum(values) - values[seat])


def best_worth(outlook: Outlook, position: CarcassonneState, seat: int) -> int:
    if position.kind != PLACE_FOLLOWER:
        return judge(outlook, position, seat)
    return max(judge(outlook, after(position, move), seat) for move in position.moves())


@pytest.mark.parametrize(("seats", "tiny_city"), each_or_all([2, 5, 3, 4], [4, 2])[:MOST])
@pytest.mark.slow
def test_every_move_is_worth_what_the_outlook_says_after_it(seats: int, tiny_city: int) -> None:
    compared = 0
    games = short_or_long(1, 3)
    for seed in range(games):
        for state in positions(seats, tiny_city, seed):
            outlook = Outlook(state)
            exact = [best_worth(outlook, after(state, move), state.turn) for move in state.moves()]
            worths = list_worths(state)
            assert [worth - worths[0] for worth in worths] == [value - exact[0] for value in exact]
            compared += len(worths)
    assert compared > 1000 * games


@pytest.mark.slow
def test_every_follower_of_a_placement_is_worth_what_the_outlook_says_after_it() -> None:
    for state in positions(2, 4, seed=7):
        if state.kind == PLACE_FOLLOWER:
            continue
        outlook, differences = Outlook(state), set()
        for worth, move, segment in list_answers(state):
            placed = after(state, move)
            asked = placed.kind == PLACE_FOLLOWER
            position = after(placed, segment) if asked else placed
            assert asked or segment == SKIP
            differences.add(judge(outlook, position, state.turn) - worth)
        assert len(differences) == 1


def test_greedy_takes_the_same_moves_on_every_machine_and_every_python() -> None:
    """A change of these moves needs a new version of the bot."""
    rng = random.Random(16)
    state = CARCASSONNE.new(3, CARCASSONNE.check(3, {}), {})
    assert isinstance(state, CarcassonneState)
    source = RandomSource(rng)
    state.settle(source)
    while not state.over:
        state.play(play_greedily(state, rng))
        state.settle(source)
    assert state.final().scores == [97, 72, 78]
    assert state.state_hash() == (
        "606259dc070edca5cb9ba14d37ed89371b440f9d9c2da33ac602f17d9ba2e9fc"
    )
