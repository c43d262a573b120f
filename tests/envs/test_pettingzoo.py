"""The games as environments of PettingZoo: its own tests, and what they do not ask."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from cartulary.engine.errors import (
    IllegalMove,
    InvalidOption,
    InvalidSeats,
    UnknownAction,
    UnknownGame,
)
from cartulary.envs.pettingzoo import CartularyEnv, env
from tests.envs.cases import CASES, GAMES_WITH_ENDS
from tests.support.games import COMPLETE
from tests.support.night import short_or_long

CYCLES = short_or_long(150, 1000)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize(("name", "seats", "options"), CASES)
def test_the_test_of_pettingzoo_passes(name: str, seats: int, options: dict[str, Any]) -> None:
    api_test(env(name, seats, options), num_cycles=CYCLES)


@pytest.mark.parametrize(("name", "seats", "options"), CASES)
@pytest.mark.slow
def test_the_same_seed_gives_the_same_game(name: str, seats: int, options: dict[str, Any]) -> None:
    seed_test(lambda: env(name, seats, options), num_cycles=CYCLES)


def play(made: Any, seed: int) -> dict[str, float]:
    """Play a random game to the end; return the rewards."""
    rng = random.Random(seed)
    rewards: dict[str, float] = {}
    made.reset(seed=seed)
    for agent in made.agent_iter():
        observation, reward, over, _, _ = made.last()
        if over:
            rewards[agent] = reward
            made.step(None)
        else:
            assert reward == 0
            made.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    return rewards


@pytest.mark.parametrize(("name", "seats"), GAMES_WITH_ENDS)
def test_rewards_come_at_the_end_and_say_who_won(name: str, seats: int) -> None:
    made = CartularyEnv(name, seats)
    rewards = play(made, 3)
    state = made.state_of_game
    assert state is not None
    assert state.over
    result = state.final()
    assert [*rewards] == made.possible_agents
    assert [*rewards.values()] == made.rules.reward(result.scores)
    best = [seat for seat in range(seats) if rewards[f"seat_{seat}"] == max(rewards.values())]
    assert best == result.winners


@pytest.mark.parametrize("name", COMPLETE)
def test_two_seeds_give_two_games(name: str) -> None:
    made = CartularyEnv(name, 3)
    shown = set()
    for seed in range(8):
        made.reset(seed=seed)
        shown.add(made.observe("seat_0")["observation"].tobytes())
    assert len(shown) > 3


@pytest.mark.parametrize("name", COMPLETE)
def test_the_agent_whose_turn_it_is_has_legal_moves_and_no_other_has(name: str) -> None:
    made = CartularyEnv(name, 3)
    made.reset(seed=1)
    for agent in made.agents:
        mask = made.observe(agent)["action_mask"]
        assert mask.any() == (agent == made.agent_selection)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_code_that_is_not_legal_is_refused_and_the_game_goes_on(name: str) -> None:
    made = env(name, 2)
    made.reset(seed=1)
    before = made.last()[0]
    illegal = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        made.step(illegal)
    others: list[Any] = [-1, made.action_space("seat_0").n, None, 1.5]
    for wrong in others:
        with pytest.raises(UnknownAction):
            made.step(wrong)
    after = made.last()[0]
    assert np.array_equal(before["observation"], after["observation"])
    made.step(np.flatnonzero(after["action_mask"])[0])


def test_a_finished_game_takes_no_step() -> None:
    made = CartularyEnv("caylus", 2)
    play(made, 1)
    with pytest.raises(IllegalMove, match="begin a new one"):
        made.step(0)
    made.reset(seed=1)
    assert made.agents == ["seat_0", "seat_1"]


def test_nothing_is_shown_before_a_game_begins() -> None:
    made = CartularyEnv("caylus", 2)
    for call in (lambda: made.observe("seat_0"), lambda: made.step(0), made.render):
        with pytest.raises(IllegalMove, match="reset"):
            call()


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownGame):
        env("chess")
    for seats in (1, 6):
        with pytest.raises(InvalidSeats):
            env("caylus", seats)
    with pytest.raises(InvalidOption):
        env("caylus", 2, {"edition": "third"})
    with pytest.raises(InvalidOption):
        env("caylus", 2, rewards="money")
    with pytest.raises(ValueError, match="render_mode"):
        env("caylus", 2, render_mode="human")


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.slow
def test_a_table_is_shown_as_text_and_as_a_picture(name: str) -> None:
    text = CartularyEnv(name, 2, render_mode="ansi")
    text.reset(seed=1)
    assert text.render().startswith("seat 0: " if name == "carcassonne" else "seat ")
    assert "\nscores: " in text.render() or "\nplayers: " in text.render()
    picture = CartularyEnv(name, 2, render_mode="rgb_array")
    picture.reset(seed=1)
    pixels = picture.render()
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (800, 3)
    assert len(np.unique(pixels)) > 10
    silent = CartularyEnv(name, 2)
    silent.reset(seed=1)
    assert silent.render() is None


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [("pettingzoo", "pettingzoo", "pettingzoo"), ("openspiel", "pyspiel", "openspiel")],
)
def test_a_missing_library_is_named_with_its_command(module: str, library: str, extra: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; import cartulary.envs.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert last.endswith(f"pip install 'cartulary-games[{extra}]'")
