"""Random play on one core, next to catanatron's, in one process and one run.

All contestants take turns in short slices, so that whatever else the machine does falls on each of
them alike. `ratio` is Carcassonne's decisions per second over catanatron's actions per second,
`ratios` the same for every game.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from catanatron import Color, RandomPlayer
from catanatron import Game as Catan

from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES

SLICE_SECONDS = 0.3
SEATS = {"carcassonne": 2, "caylus": 3}
SEED = 1

Contestant = Callable[[], int]
"""Plays one game and returns the number of its decisions."""


def random_games(name: str, seats: int) -> Contestant:
    """Return a contestant that plays one of our games as the bots and the service do."""
    game = GAMES[name]
    rng = random.Random(SEED)
    source = RandomSource(rng)

    def play() -> int:
        state = game.new(seats, {}, game.draw_setup(seats, {}, rng))
        decisions = 0
        state.settle(source)
        while not state.over:
            moves = state.moves()
            state.play(moves[int(rng.random() * len(moves))])
            state.settle(source)
            decisions += 1
        return decisions

    return play


def catanatron_game() -> int:
    """Play catanatron's random game with its four players; returns the number of actions."""
    catan = Catan([RandomPlayer(color) for color in Color])
    catan.play()
    return len(catan.state.actions)


class ContestantTime:
    """What one contestant has played, and in what time."""

    def __init__(self, play: Contestant) -> None:
        self.play = play
        self.games = 0
        self.decisions = 0
        self.seconds = 0.0

    def slice(self) -> None:
        """Play whole games until the slice is over."""
        started = time.perf_counter()
        while time.perf_counter() - started < SLICE_SECONDS:
            self.decisions += self.play()
            self.games += 1
        self.seconds += time.perf_counter() - started

    def rates(self, unit: str) -> dict[str, float]:
        """Return games and `unit` per second."""
        return {
            "games_per_second": self.games / self.seconds,
            f"{unit}_per_second": self.decisions / self.seconds,
        }


def main(seconds: float = 20.0) -> dict[str, Any]:
    random.seed(SEED)  # catanatron draws from the shared generator
    ours = {name: ContestantTime(random_games(name, SEATS.get(name, 2))) for name in GAMES}
    theirs = ContestantTime(catanatron_game)
    ends = time.perf_counter() + seconds
    while theirs.games == 0 or time.perf_counter() < ends:
        for clock in (*ours.values(), theirs):
            clock.slice()
    measured: dict[str, Any] = {name: clock.rates("decisions") for name, clock in ours.items()}
    measured["catanatron"] = theirs.rates("actions")
    actions = measured["catanatron"]["actions_per_second"]
    ratios = {name: measured[name]["decisions_per_second"] / actions for name in ours}
    return {**measured, "ratios": ratios, "ratio": ratios["carcassonne"]}
