"""What holds for every bot of every game."""

from __future__ import annotations

import random

import pytest

from cartulary.bots.base import Bot
from cartulary.bots.thought import Budget
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import State
from tests.support.games import ALL_OFFERS
from tests.support.night import NIGHT, each_or_all

ALL = [(game, name) for game in ALL_OFFERS for name in ALL_OFFERS[game].bots]
SEARCHING = [(game, name) for game, name in ALL if ALL_OFFERS[game].bots[name].budget]
SHORT = Budget(iterations=2)
"""What holds for a search with a large budget holds with a small one."""


def find_bot(game: str, name: str, budget: Budget = SHORT) -> Bot:
    """The bot; one that searches thinks as little as it can."""
    search = ALL_OFFERS[game].bots[name].think
    return lambda state, rng: search(state, rng, budget).moves[0]


class Ticking:
    """A clock that goes on by a millisecond with each reading."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def positions(
    game: str, bot: str, seats: int, seed: int, *, alone: bool = False
) -> list[State[object]]:
    """Every position in which a decision is pending in a game that the bot plays with itself.

    `alone` lets the bot play on the first seat and `random` on the others.
    """
    rng = random.Random(seed)
    rules, play, source = ALL_OFFERS[game].rules, find_bot(game, bot, Budget(1)), RandomSource(rng)
    others = find_bot(game, "random")
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, rng))
    state.settle(source)
    seen = []
    while not state.over:
        seen.append(state.copy())
        random_plays = alone and state.seat > 0
        state.play((others if random_plays else play)(state, rng))
        state.settle(source)
    return seen


def test_every_game_has_a_random_bot() -> None:
    assert all("random" in offer.bots for offer in ALL_OFFERS.values())


@pytest.mark.parametrize(("game", "bot"), ALL)
def test_every_bot_has_a_line_for_people(game: str, bot: str) -> None:
    line = ALL_OFFERS[game].bots[bot].line
    assert 10 < len(line) < 100
    assert line.endswith(".")


@pytest.mark.parametrize(("game", "bot"), ALL)
@pytest.mark.slow
def test_a_bot_changes_nothing_and_answers_the_same_with_the_same_seed(game: str, bot: str) -> None:
    play = find_bot(game, bot)
    seats = min(3, ALL_OFFERS[game].rules.seats_to)
    for state in positions(game, "random", seats, seed=1)[::9]:
        before = state.dump()
        move = play(state, random.Random("seed"))
        assert move in state.moves()
        assert play(state, random.Random("seed")) == move
        assert state.dump() == before


@pytest.mark.parametrize(("game", "bot"), SEARCHING)
@pytest.mark.slow
def test_a_bot_that_searches_moves_as_it_thinks(game: str, bot: str) -> None:
    entry = ALL_OFFERS[game].bots[bot]
    seats = min(3, ALL_OFFERS[game].rules.seats_to)
    state = positions(game, "medium", seats, seed=2)[40]
    move = entry.bot(state, random.Random("seed"))
    assert move in state.moves()
    assert entry.bot(state, random.Random("seed")) == move


def test_hard_has_more_iterations_at_a_table_of_more_than_two() -> None:
    hard = ALL_OFFERS["carcassonne"].bots["hard"]
    budgets = [hard.budget_of(seats) for seats in range(2, 6)]
    assert [budget and budget.iterations for budget in budgets] == [96, 176, 176, 176]


def test_a_level_without_another_budget_has_the_same_at_every_table() -> None:
    for level in ("medium", "hard"):
        entry = ALL_OFFERS["caylus"].bots[level]
        assert {entry.budget_of(seats) for seats in range(2, 6)} == {entry.budget}


@pytest.mark.parametrize(("of", "milliseconds"), each_or_all(ALL, [20, 0.5]))
@pytest.mark.slow
def test_a_thought_that_a_time_limit_ended_is_repeated_by_its_iterations(
    of: tuple[str, str], milliseconds: float
) -> None:
    game, bot = of
    think = ALL_OFFERS[game].bots[bot].think
    seats = min(3, ALL_OFFERS[game].rules.seats_to)
    for state in positions(game, "random", seats, seed=3)[3::50]:
        limited = think(state, random.Random(1), Budget(60, milliseconds / 1000, Ticking()))
        assert 1 <= limited.iterations <= 60
        repeated = think(state, random.Random(1), Budget(limited.iterations))
        assert repeated.moves == limited.moves
        assert repeated.iterations == limited.iterations


@pytest.mark.parametrize(("game", "bot"), ALL)
def test_planned_moves_are_legal_one_after_the_other(game: str, bot: str) -> None:
    seats = min(3, ALL_OFFERS[game].rules.seats_to)
    for state in positions(game, "random", seats, seed=4)[::40]:
        for move in ALL_OFFERS[game].bots[bot].think(state, random.Random(1), Budget(1)).moves:
            assert move in state.moves()
            state.play(move)


@pytest.mark.parametrize("game", ALL_OFFERS)
def test_a_level_that_is_stronger_has_a_higher_number(game: str) -> None:
    numbers = [entry.strength for entry in ALL_OFFERS[game].bots.values() if entry.strength]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(("game", "bot"), ALL)
@pytest.mark.slow
def test_a_bot_plays_to_the_end_with_any_number_of_seats(game: str, bot: str) -> None:
    """At night on all seats at once: five experts take as long as the other bots together."""
    rules = ALL_OFFERS[game].rules
    for seats in {rules.seats_from, rules.seats_to}:
        assert len(positions(game, bot, seats, seed=seats, alone=not NIGHT)) >= 5
