"""The games of OpenSpiel: its own test, and what that does not ask."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest

import cartulary.envs.openspiel  # noqa: F401 - it registers the games
from cartulary.engine.errors import ChanceError, IllegalMove, InvalidSeats, UnknownAction
from tests.envs.cases import CASES, GAMES_WITH_ENDS
from tests.support.games import COMPLETE
from tests.support.night import short_or_long


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"cartulary_{name}", parameters)


def step(state: Any, rng: random.Random) -> None:
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        assert sum(weights) == pytest.approx(1)
        state.apply_action(rng.choices(outcomes, weights)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(("name", "seats", "options"), CASES[:: short_or_long(2, 1)])
@pytest.mark.slow
def test_the_test_of_openspiel_passes(name: str, seats: int, options: dict[str, Any]) -> None:
    game = load(name, seats=seats, **options)
    pyspiel.random_sim_test(
        game, num_sims=short_or_long(1, 5), serialize=True, verbose=False, mask_test=True
    )


@pytest.mark.parametrize(("name", "seats"), GAMES_WITH_ENDS)
def test_a_game_ends_with_rewards_and_is_read_back_from_its_text(name: str, seats: int) -> None:
    game = load(name, seats=seats)
    state, rng = game.new_initial_state(), random.Random(1)
    assert state.is_chance_node()
    while not state.is_terminal():
        step(state, rng)
    assert len(state.history()) < game.max_game_length()
    assert sum(state.returns()) == pytest.approx(0)
    assert state.returns() == state.rules.reward(state.table.final().scores)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.returns() == state.returns()
    same_game, same = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(game, state)
    )
    assert str(same_game) == str(game)
    assert str(same) == str(state)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_copy_goes_its_own_way(name: str) -> None:
    state, rng = load(name).new_initial_state(), random.Random(1)
    for _ in range(20):
        step(state, rng)
    before, twin = str(state), state.clone()
    while not twin.is_terminal():
        step(twin, rng)
    assert str(state) == before


def test_the_setup_of_caylus_is_drawn_by_chance() -> None:
    state, rng = load("caylus", seats=3).new_initial_state(), random.Random(1)
    drawn = []
    while state.is_chance_node():
        drawn.append(len(state.chance_outcomes()))
        step(state, rng)
    assert drawn == [3, 2, 6, 5, 4, 3, 2]


def test_the_tiles_of_carcassonne_are_drawn_by_chance() -> None:
    state = load("carcassonne").new_initial_state()
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == 24
    assert outcomes[21] == pytest.approx(9 / 71)  # nine V of 71 tiles
    assert state.action_to_string(21) == "tile V"
    state.apply_action(21)
    assert state.current_player() == 0
    assert "place_tile" in state.action_to_string(state.legal_actions()[0])


@pytest.mark.parametrize("name", COMPLETE)
def test_an_observation_is_the_tensor_in_planes(name: str) -> None:
    game = load(name, seats=3)
    state, rng = game.new_initial_state(), random.Random(1)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.tensor.any() == (name == "carcassonne")  # it has no setup to draw
    for _ in range(30):
        step(state, rng)
    size = len(observer.tensor)
    for seat in range(3):
        observer.set_from(state, seat)
        expected = np.zeros(size, np.float32)
        state.table.tensor(seat, expected)
        assert np.array_equal(observer.tensor, expected)
        assert np.array_equal(state.observation_tensor(seat), expected)
        assert np.array_equal(state.information_state_tensor(seat), expected)
        assert sum(plane.size for plane in observer.dict.values()) == size
    assert state.history_str() in state.information_state_string(1)
    assert str(state) in state.observation_string(1)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"wide": 1})


def test_legal_actions_ascend() -> None:
    state, rng = load("caylus").new_initial_state(), random.Random(1)
    while not state.is_terminal():
        if not state.is_chance_node():
            assert all(a < b for a, b in pairwise(state.legal_actions()))
        step(state, rng)


@pytest.mark.parametrize("name", COMPLETE)
def test_what_is_not_legal_is_refused_and_changes_nothing(name: str) -> None:
    game = load(name)
    state, rng = game.new_initial_state(), random.Random(1)
    before = str(state)
    with pytest.raises(ChanceError):
        state.apply_action(23 if name == "caylus" else 24)
    assert str(state) == before
    while state.is_chance_node():
        step(state, rng)
    before = str(state)
    illegal = next(a for a in range(game.num_distinct_actions()) if a not in state.legal_actions())
    with pytest.raises(IllegalMove):
        state.apply_action(illegal)
    with pytest.raises(UnknownAction):
        state.apply_action(game.num_distinct_actions())
    assert (str(state), state.legal_actions(0) == []) == (before, state.current_player() != 0)
    while not state.is_terminal():
        step(state, rng)
    with pytest.raises(IllegalMove, match="over"):
        state.apply_action(0)


def test_parameters_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InvalidSeats):
        load("caylus", seats=6)
    with pytest.raises(InvalidSeats):
        load("caylus", seats=1)
    with pytest.raises(pyspiel.SpielError, match="colour"):
        load("caylus", colour="red")
    with pytest.raises(ValueError, match="takes one of"):
        load("caylus", edition="third")


@pytest.mark.process
def test_a_process_with_the_games_ends_well() -> None:
    program = "import pyspiel, cartulary.envs.openspiel; pyspiel.load_game('cartulary_caylus')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
