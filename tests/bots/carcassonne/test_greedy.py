"""Greedy: how strong it is, and what it sees."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from cartulary.bots.base import Bot
from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.bots.carcassonne.outlook import Outlook
from cartulary.bots.randomly import play_randomly
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.chance import RandomSource, RecordedSource
from cartulary.engine.core import Json
from cartulary.games import GAMES
from tests.support.night import short_or_long

CARCASSONNE = GAMES["carcassonne"]


def puzzle(draws: str, moves: Sequence[Json] = (), seats: int = 2) -> CarcassonneState:
    """The position after `moves` of a game whose bag holds `draws`, in that order."""
    bag = {letter: draws.count(letter) for letter in draws}
    state, source = CARCASSONNE.new(seats, {}, {"bag": bag}), RecordedSource(draws)
    state.settle(source)
    for move in moves:
        state.apply(move, source)
    assert isinstance(state, CarcassonneState)
    return state


def place(x: int, y: int, rotation: int) -> Json:
    return {"type": "place_tile", "x": x, "y": y, "rotation": rotation}


def follower(segment: str) -> Json:
    return {"type": "place_follower", "segment": segment}


def greedy(state: CarcassonneState) -> Json:
    return state.move_json(play_greedily(state, random.Random(0)))


def test_closes_a_city_and_takes_its_points_on_the_last_tile() -> None:
    state = puzzle("E")
    assert greedy(state) == place(0, -1, 180)
    state.apply(place(0, -1, 180), RecordedSource(""))
    assert greedy(state) == follower("c0")


def test_finishes_its_own_city_at_once() -> None:
    moves = [place(0, -1, 180), follower("c0"), place(1, 0, 90), {"type": "skip_follower"}]
    assert greedy(puzzle("NUEUVW", moves)) == place(-1, -1, 90)


def test_farms_count_for_what_they_touch() -> None:
    moves = [place(0, -1, 180), follower("f0")]
    with_farm = puzzle("EU", moves)
    without = puzzle("EU", [moves[0], {"type": "skip_follower"}])
    gain = Outlook(with_farm).seats(with_farm)[0] - Outlook(without).seats(without)[0]
    assert gain > 2 * UNIT


def test_a_city_is_worth_more_the_likelier_it_is_to_be_closed() -> None:
    early = puzzle("NUUUUUUUVVVVVVVVV", [place(0, -1, 180), follower("c0")])
    late = puzzle("NU", [place(0, -1, 180), follower("c0")])
    at_hand = Outlook(early).seats(early)[1], Outlook(late).seats(late)[1]
    assert at_hand[0] > at_hand[1]
    assert Outlook(early).seats(early)[0] > Outlook(late).seats(late)[0]


@pytest.mark.parametrize("seats", [2, 4])
def test_at_the_end_the_outlook_is_the_counted_score(seats: int) -> None:
    rng = random.Random(3)
    source = RandomSource(rng)
    state = CARCASSONNE.new(seats, {}, {})
    assert isinstance(state, CarcassonneState)
    state.settle(source)
    while not state.over:
        state.play(play_greedily(state, rng))
        state.settle(source)
    assert Outlook(state).seats(state) == [UNIT * score for score in state.final().scores]


@pytest.mark.slow
def test_beats_random_in_99_games_of_100_by_50_points() -> None:
    games = short_or_long(30, 100)
    margins = [margin(seed) for seed in range(games)]
    assert sum(margin > 0 for margin in margins) >= 0.99 * games
    assert sum(margins) / len(margins) >= 50


def margin(seed: int) -> int:
    """Points that greedy is ahead of random at the end; it begins in every other game."""
    rng, mine = random.Random(seed), seed % 2
    source = RandomSource(rng)
    state = CARCASSONNE.new(2, {}, {})
    state.settle(source)
    while not state.over:
        bot: Bot = play_greedily if state.seat == mine else play_randomly
        state.play(bot(state, rng))
        state.settle(source)
    scores = state.final().scores
    return scores[mine] - scores[1 - mine]
