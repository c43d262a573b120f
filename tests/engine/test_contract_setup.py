"""The contract that every game keeps when it is set up: seats, options, setup."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.engine.core import find_game
from cartulary.engine.errors import InvalidOption, InvalidSeats, SetupError, UnknownGame
from cartulary.games import GAMES
from tests.engine.test_contract import SEED
from tests.support.games import ALL_GAMES


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.parametrize("seats", [-1, 0, 1, 6, True, 2.0, "2", None])
def test_a_number_of_seats_that_the_game_does_not_allow_is_refused(name: str, seats: Any) -> None:
    game = ALL_GAMES[name]
    setup = game.draw_setup(2, {}, random.Random(SEED))
    with pytest.raises(InvalidSeats):
        game.new(seats, {}, setup)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_unknown_options_and_values_are_refused(name: str) -> None:
    game = ALL_GAMES[name]
    setup = game.draw_setup(2, {}, random.Random(SEED))
    with pytest.raises(InvalidOption):
        game.new(2, {"no_such_option": 1}, setup)
    for option in game.options:
        for value in (None, True, [], "no such value", 3.5, float_of(option.default)):
            with pytest.raises(InvalidOption):
                game.new(2, {option.name: value}, setup)


def float_of(value: str | int) -> object:
    return float(value) if isinstance(value, int) else value + " "


@pytest.mark.parametrize("name", ALL_GAMES)
def test_missing_options_are_defaults(name: str) -> None:
    game = ALL_GAMES[name]
    state = game.new(2, {}, game.draw_setup(2, {}, random.Random(SEED)))
    assert state.options == {option.name: option.default for option in game.options}


@pytest.mark.parametrize("name", ALL_GAMES)
def test_an_unknown_key_of_the_setup_is_refused(name: str) -> None:
    game = ALL_GAMES[name]
    setup = game.draw_setup(2, {}, random.Random(SEED))
    with pytest.raises(SetupError):
        game.new(2, {}, {**setup, "no_such_key": 1})


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        find_game(GAMES, "chess")
