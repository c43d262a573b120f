"""Greedy players with other beliefs, for measuring: `medium` is not the only opponent.

`POOL` has those against which the weights of a search may be tuned, `ASIDE` those that check it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from cartulary.bots.base import Bot
from cartulary.bots.carcassonne.chances import rate_stay
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.engine.carcassonne.state import CarcassonneState


def play_patiently(state: CarcassonneState, rng: random.Random) -> int:
    """Return what promises most when a follower on a field costs what it costs a search."""
    return _play(state, rng, rate_stay(state.left))


def play_without_early_farms(state: CarcassonneState, rng: random.Random) -> int:
    """Return what promises most when a follower on a field costs three times as much."""
    return _play(state, rng, 3 * rate_stay(state.left))


def play_as_farmer(state: CarcassonneState, rng: random.Random) -> int:
    """Return what promises most to a player who likes to farm."""
    return _play(state, rng, -rate_stay(state.left) // 2)


def _play(state: CarcassonneState, rng: random.Random, farmer_cost: int) -> int:
    answers = list_answers(state, farmer_cost)
    best = max(answer.worth for answer in answers)
    return rng.choice([answer.move for answer in answers if answer.worth == best])


POOL: Final[Mapping[str, Bot]] = {"patient": play_patiently}
ASIDE: Final[Mapping[str, Bot]] = {
    "late_farmer": play_without_early_farms,
    "farmer": play_as_farmer,
}
