"""How far the scores of a table lie apart: the deviations by which tournaments compare margins.

Per game and number of seats the standard deviation, in points, of a score about the mean of its
table, over games between the levels that do not search, `random` left out. The table stands in
`tournaments/margins.py`.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import Any

from cartulary.bots.base import Bot
from cartulary.engine.chance import RandomSource
from cartulary.games import OFFERS

SEATS = (2, 3, 4, 5)


def main(games: int = 100) -> dict[str, Any]:
    return {
        name: {f"{seats} seats": measure(name, seats, games) for seats in SEATS} for name in OFFERS
    }


def measure(name: str, seats: int, games: int) -> float:
    """Return the deviation of a game at tables of so many seats."""
    squares = [lead**2 for number in range(games) for lead in play(name, seats, number)]
    # A mean is taken from each table, so a table of n seats has n - 1 independent leads.
    return sqrt(sum(squares) / (games * (seats - 1)))


def play(name: str, seats: int, number: int) -> list[float]:
    """Play one game; return how far each score is above the mean of the table."""
    offer, rng = OFFERS[name], random.Random(f"{name}:{seats}:{number}")
    levels = [
        entry.bot for level, entry in offer.bots.items() if level != "random" and not entry.budget
    ]
    players: list[Bot] = [rng.choice(levels) for _ in range(seats)]
    rules, source = offer.rules, RandomSource(rng)
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, source))
    state.settle(source)
    while not state.over:
        state.play(players[state.seat](state, rng))
        state.settle(source)
    scores = state.final().scores
    mean = sum(scores) / seats
    return [score - mean for score in scores]
