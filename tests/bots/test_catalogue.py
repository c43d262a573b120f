"""What holds for every bot of every game."""

from __future__ import annotations

import random

import pytest

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import State
from tests.games import ALL_OFFERS as OFFERS

ALL = [(game, name) for game in OFFERS for name in OFFERS[game].bots]


def positions(game: str, bot: str, seats: int, seed: int) -> list[State[object]]:
    """Every position in which a decision is pending in a game that the bot plays with itself."""
    rng = random.Random(seed)
    rules, play, source = OFFERS[game].rules, OFFERS[game].bots[bot].bot, RandomSource(rng)
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, rng))
    state.settle(source)
    seen = []
    while not state.over:
        seen.append(state.copy())
        state.play(play(state, rng))
        state.settle(source)
    return seen


def test_every_game_has_a_random_bot() -> None:
    assert all("random" in offer.bots for offer in OFFERS.values())


@pytest.mark.parametrize(("game", "bot"), ALL)
def test_every_bot_has_a_line_for_people(game: str, bot: str) -> None:
    line = OFFERS[game].bots[bot].line
    assert 10 < len(line) < 100
    assert line.endswith(".")


@pytest.mark.parametrize(("game", "bot"), ALL)
def test_a_bot_changes_nothing_and_answers_the_same_with_the_same_seed(game: str, bot: str) -> None:
    play = OFFERS[game].bots[bot].bot
    seats = min(3, OFFERS[game].rules.seats_to)
    for state in positions(game, bot, seats, seed=1)[::7]:
        before = state.dump()
        move = play(state, random.Random("seed"))
        assert move in state.moves()
        assert play(state, random.Random("seed")) == move
        assert state.dump() == before


@pytest.mark.parametrize(("game", "bot"), ALL)
def test_a_bot_plays_to_the_end_with_any_number_of_seats(game: str, bot: str) -> None:
    rules = OFFERS[game].rules
    for seats in {rules.seats_from, rules.seats_to}:
        assert len(positions(game, bot, seats, seed=seats)) >= 5
