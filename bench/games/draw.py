"""Pictures of full boards next to `json.dumps` of their views, in one process and one run.

Random play fills the boards: the last position of each game is drawn. Drawing and dumping take
turns in short slices. `ratio` is the worst time of a picture over the time of its `json.dumps`;
the target is below 100.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any

from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES, OFFERS
from cartulary.pictures import draw

SEATS = {"carcassonne": 5, "caylus": 5}
LAYOUTS = ("tall", "wide")
SLICE_SECONDS = 0.2
SEED = 1


def main(seconds: float = 20.0) -> dict[str, Any]:
    """Measure for about `seconds`; returns microseconds per picture and dump, and the ratios."""
    measured: dict[str, Any] = {}
    share = seconds / len(SEATS) / len(LAYOUTS)
    for name in SEATS:
        view = full_board(name)
        for layout in LAYOUTS:
            measured[f"{name}_{layout}"] = compared(name, view, layout, share)
    return {**measured, "ratio": max(row["ratio"] for row in measured.values())}


def full_board(name: str) -> dict[str, Any]:
    """Return the view at the end of a game of random moves: the fullest board there is."""
    rng = random.Random(SEED)
    source = RandomSource(rng)
    game, seats = GAMES[name], SEATS[name]
    state = game.new(seats, {}, game.draw_setup(seats, {}, rng))
    state.settle(source)
    while not state.over:
        state.play(rng.choice(state.moves()))
        state.settle(source)
    return state.view()


def compared(name: str, view: dict[str, Any], layout: str, seconds: float) -> dict[str, float]:
    """Time the picture and the dump of one view by turns."""
    offer = OFFERS[name]
    picture_of, words = offer.picture, offer.words.picture("en")
    assert picture_of is not None

    def picture() -> str:
        return draw(picture_of, view, layout=layout, words=words)

    def dump() -> str:
        return json.dumps(view)

    picture()  # what is drawn once per process is not part of the time of a picture
    rounds = max(1, int(seconds / 2 / SLICE_SECONDS))
    pictures, dumps = [], []
    for _ in range(rounds):
        pictures.append(seconds_of(picture))
        dumps.append(seconds_of(dump))
    drawn, dumped = min(pictures), min(dumps)
    return {
        "picture_microseconds": drawn * 1e6,
        "json_microseconds": dumped * 1e6,
        "kilobytes": len(picture().encode()) / 1000,
        "ratio": drawn / dumped,
    }


def seconds_of(work: Callable[[], str]) -> float:
    """Return the time of one call, the mean over a slice.

    It is that of the processor: a slice in which the machine did something else would be as long
    for one call as for a hundred.
    """
    calls, start = 0, time.thread_time()
    while (elapsed := time.thread_time() - start) < SLICE_SECONDS:
        work()
        calls += 1
    return elapsed / calls
