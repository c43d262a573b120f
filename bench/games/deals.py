"""How much of the margins of Carcassonne the order of the draws decides by itself.

Each of `--deals` is played twice by seats of one `--level`, with the same order of draws; the games
differ only in what the bots draw by lot. A margin is how far a score is above the mean of its
table. `share` is the part of the variance of the margins that lies between the deals, with an
interval of 95 % (`low`, `high`: deals drawn again with replacement), `left` the deviation that is
left when the order of the draws is known and nothing else, over that of the margins. The luck that
the analysis counts also knows the positions which the tiles met, so it may explain more than that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

from cartulary.bots.thought import Budget
from cartulary.games import OFFERS
from cartulary.league.matches import Deck
from cartulary.league.pool import run_each

GAME = "carcassonne"
AGAIN = 1000
"""So often the deals are drawn again for the interval."""


class DealTask(NamedTuple):
    """A deal to play twice: the seats, its number, the level of all seats."""

    seats: int
    number: int
    level: str


class TwinGames(NamedTuple):
    """The margins of all seats in two games of one deal."""

    one: Sequence[float]
    two: Sequence[float]


def main(
    seconds: float = 0.0,
    deals: int = 400,
    seats: int = 2,
    level: str = "medium",
    seed: int = 9000,
    jobs: int = 1,
) -> dict[str, Any]:
    del seconds  # the number of deals says how long it takes
    tasks = [DealTask(seats, number, level) for number in range(seed, seed + deals)]
    return sum_up(list(run_each(play_twins, tasks, jobs)))


def play_twins(task: DealTask) -> TwinGames:
    """Play a deal twice."""
    return TwinGames(play_deal(task, "one"), play_deal(task, "two"))


def play_deal(task: DealTask, lot: str) -> list[float]:
    """Play a deal once and return the margins; `lot` is the seed of what the bots draw by lot."""
    seats, number, level = task
    offer, rng = OFFERS[GAME], random.Random(f"{GAME}/deals/{seats}/{number}/{lot}")
    rules, bot, deck = offer.rules, offer.bots[level], Deck(f"{GAME}/deals/{seats}/{number}")
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, random.Random(number)))
    state.settle(deck)
    while not state.over:
        seat = state.seat
        for move in bot.think(state, rng, bot.budget_of(seats) or Budget(1)).moves:
            if not state.over and state.seat == seat and move in state.moves():
                state.play(move)
        state.settle(deck)
    scores = state.final().scores
    return [score - sum(scores) / seats for score in scores]


def sum_up(found: Sequence[TwinGames]) -> dict[str, Any]:
    """Return what the deals say; `ValueError` without deals."""
    if not found:
        raise ValueError("there are no deals")
    rng = random.Random(0)
    again = sorted(find_share(rng.choices(found, k=len(found))) for _ in range(AGAIN))
    share = find_share(found)
    return {
        "deals": len(found),
        "share": share,
        "low": again[AGAIN // 40],
        "high": again[-1 - AGAIN // 40],
        "left": sqrt(1 - max(0.0, share)),
    }


def find_share(found: Sequence[TwinGames]) -> float:
    """Return the share of the variance between deals: the covariance of twins over the variance."""
    both = sum(one * two for twins in found for one, two in zip(*twins, strict=True))
    squares = sum(margin**2 for twins in found for margins in twins for margin in margins)
    return 2 * both / squares
