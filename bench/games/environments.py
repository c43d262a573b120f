"""Masks and observations per second of random games on one core, by CPU time, next to two others.

All contestants take turns in short slices of one run. `masks` counts decisions for which a program
lists the legal codes and marks them in a mask; `observations` those for which it fills the tensor
of the seat that decides and the mask. `of_engine` leaves out the time in which the game goes on, so
it is what the calls cost; `with_moves` takes it in. `pettingzoo` and `openspiel` are steps of the
adapters. The others, where they are installed, are catanatron (the game alone, without a mask and
an observation) and PettingZoo's chess (it needs the library `chess`), each played at random.
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from cartulary.engine.chance import RandomSource
from cartulary.engine.coded import size_of
from cartulary.engine.core import Game, State
from cartulary.games import GAMES

SLICE_SECONDS = 0.3
SEATS = (2, 5)
SEED = 1

Step = Callable[[], None]
"""Goes one decision further, into the next game where one is over."""


class Rate:
    """How many steps a contestant has made, and in what time of the processor."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.steps = 0
        self.seconds = 0.0

    def slice(self, seconds: float) -> None:
        """Make steps, some at least, until the slice of so many seconds is over."""
        started, took = time.process_time(), 0.0
        while not took or took < seconds:
            for _ in range(20):
                self.step()
            self.steps += 20
            took = time.process_time() - started
        self.seconds += took

    @property
    def per_second(self) -> float:
        """How many steps a second of the processor makes."""
        return self.steps / self.seconds


class Calls(Rate):
    """A contestant of which only the calls under measurement are timed, not the game itself."""

    def __init__(self, states: Iterator[State[Any]], call: Callable[[State[Any]], object]) -> None:
        super().__init__(lambda: None)
        self.states = states
        self.call = call

    def slice(self, seconds: float) -> None:
        """Time the calls on some hundred positions, however long these take."""
        states = [next(self.states).copy() for _ in range(300)]
        started = time.process_time()
        for state in states:
            self.call(state)
        self.seconds += time.process_time() - started
        self.steps += len(states)


def random_states(game: Game, seats: int) -> Iterator[State[Any]]:
    """Yield the position of each decision of random games, without end."""
    rng = random.Random(SEED)
    source = RandomSource(rng)
    while True:
        state = game.new(seats, {}, game.draw_setup(seats, {}, rng))
        state.settle(source)
        while not state.over:
            yield state
            moves = state.moves()
            state.play(moves[int(rng.random() * len(moves))])
            state.settle(source)


def measured_calls(game: Game) -> dict[str, Callable[[State[Any]], object]]:
    """Return what is measured on a position: making a mask, making an observation."""
    actions = game.actions()
    out = array("f", bytes(4 * size_of(game.tensor_planes())))

    def mask(state: State[Any]) -> object:
        return actions.mask(state.codes())

    def observe(state: State[Any]) -> object:
        state.tensor(state.seat, out)
        return actions.mask(state.codes())

    return {"masks": mask, "observations": observe}


def with_moves(states: Iterator[State[Any]], call: Callable[[State[Any]], object]) -> Step:
    def step() -> None:
        call(next(states))

    return step


def play_adapter(name: str, seats: int) -> Step:
    """Return a step of our environment of PettingZoo."""
    from cartulary.envs.pettingzoo import env

    return play_aec(env(name, seats))


def play_aec(env: Any) -> Step:
    """Return a random step of an environment of PettingZoo that has a mask."""
    import numpy as np

    rng = random.Random(SEED)
    env.reset(seed=SEED)

    def step() -> None:
        observation, _, over, stopped, _ = env.last()
        if over or stopped:
            env.reset(seed=rng.randrange(1 << 30))
            observation = env.last()[0]
        legal = np.flatnonzero(observation["action_mask"].view(np.bool_))
        env.step(int(rng.choice(legal)))

    return step


def play_openspiel(name: str, seats: int) -> Step:
    """Return a step of our game of OpenSpiel, with legal actions, mask and tensor."""
    import pyspiel

    import cartulary.envs.openspiel  # noqa: F401 - it registers the games

    game = pyspiel.load_game(f"cartulary_{name}", {"seats": seats})
    rng = random.Random(SEED)
    states = [game.new_initial_state()]

    def step() -> None:
        state = states[0]
        if state.is_terminal():
            state = states[0] = game.new_initial_state()
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        if not state.is_terminal():
            player = state.current_player()
            state.observation_tensor(player)
            state.apply_action(rng.choice(state.legal_actions(player)))

    return step


def play_catanatron() -> Step:
    """Return a random decision of catanatron, of which the game alone is installed."""
    from catanatron import Color, RandomPlayer
    from catanatron import Game as Catan

    games = [Catan([RandomPlayer(color) for color in Color])]

    def step() -> None:
        if games[0].winning_color() is not None:
            games[0] = Catan([RandomPlayer(color) for color in Color])
        games[0].play_tick()

    return step


def play_chess() -> Step:
    """Return a step of PettingZoo's chess."""
    from pettingzoo.classic import chess_v6

    return play_aec(chess_v6.env())


def list_ours() -> dict[str, dict[str, Rate]]:
    """Return our contestants by game and seats."""
    contestants: dict[str, dict[str, Rate]] = {}
    for name, game in GAMES.items():
        for seats in SEATS:
            rates: dict[str, Rate] = {}
            for what, call in measured_calls(game).items():
                rates[f"{what}_of_engine"] = Calls(random_states(game, seats), call)
                rates[f"{what}_with_moves"] = Rate(with_moves(random_states(game, seats), call))
            if find_spec("pettingzoo"):
                rates["pettingzoo"] = Rate(play_adapter(name, seats))
            if find_spec("pyspiel"):
                rates["openspiel"] = Rate(play_openspiel(name, seats))
            contestants[f"{name}_{seats}"] = rates
    return contestants


def list_others() -> dict[str, Rate]:
    """Return the contestants of others that can be imported here."""
    found: dict[str, Rate] = {}
    for name, play in (("catanatron", play_catanatron), ("chess", play_chess)):
        try:
            found[name] = Rate(play())
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return found


def main(seconds: float = 20.0) -> dict[str, Any]:
    random.seed(SEED)  # catanatron draws from the shared generator
    ours, others = list_ours(), list_others()
    contestants = [*others.values(), *[rate for rates in ours.values() for rate in rates.values()]]
    ends = time.perf_counter() + seconds
    slice_seconds = min(SLICE_SECONDS, seconds / 10)
    while not all(one.steps for one in contestants) or time.perf_counter() < ends:
        for one in contestants:
            one.slice(slice_seconds)
    measured: dict[str, Any] = {
        key: {what: rate.per_second for what, rate in rates.items()} for key, rates in ours.items()
    }
    theirs = {name: rate.per_second for name, rate in others.items()}
    ratios = {
        f"{key}_to_{name}": rates[compared] / theirs[name]
        for name, compared in (("catanatron", "observations_with_moves"), ("chess", "pettingzoo"))
        for key, rates in measured.items()
        if name in theirs and compared in rates
    }
    return {**measured, "others_per_second": theirs, "ratios": ratios}
