"""Glicko-2: how two opponents move each other, a game at a time (Glickman, 2022).

It rates puzzles: an attempt is a game of two, which a person wins or a puzzle. Each game is a
rating period of its own, so a deviation grows a little with each game and not with time. The scale
is that of Glicko, not that of `ratings.scale`: 400 points are ten times the chance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178
"""Points for each unit of the inner scale."""

CENTRE: Final = 1500.0
TAU: Final = 0.5
"""How fast a volatility may change."""

SMALLEST_DEVIATION: Final = 45.0
LARGEST_DEVIATION: Final = 350.0
LOWEST: Final = 400.0
HIGHEST: Final = 3200.0
"""No rating lies outside, however long one side wins."""

_CLOSE: Final = 1e-6


class Skill(NamedTuple):
    """What is known of a player or of a puzzle: points, their standard deviation, volatility."""

    rating: float = CENTRE
    deviation: float = LARGEST_DEVIATION
    volatility: float = 0.06


def meet(one: Skill, other: Skill, score: float) -> Skill:
    """Return what is known of `one` after a game with `other`; `score` is 1 for a win, 0 lost."""
    mu, phi = (one.rating - CENTRE) / SCALE, one.deviation / SCALE
    weight = _weigh(other.deviation / SCALE)
    expected = 1 / (1 + exp(-weight * (mu - (other.rating - CENTRE) / SCALE)))
    variance = 1 / (weight**2 * expected * (1 - expected))
    delta = variance * weight * (score - expected)
    volatility = _find_volatility(phi, one.volatility, variance, delta)
    before = sqrt(phi**2 + volatility**2)
    after = 1 / sqrt(1 / before**2 + 1 / variance)
    rating = CENTRE + SCALE * (mu + after**2 * weight * (score - expected))
    return Skill(
        min(HIGHEST, max(LOWEST, rating)),
        min(LARGEST_DEVIATION, max(SMALLEST_DEVIATION, SCALE * after)),
        volatility,
    )


def predict(one: Skill, other: Skill) -> float:
    """Return the chance of `one` to win against `other`."""
    weight = _weigh(sqrt(one.deviation**2 + other.deviation**2) / SCALE)
    return 1 / (1 + exp(-weight * (one.rating - other.rating) / SCALE))


def _weigh(phi: float) -> float:
    """Return how much a game counts against an opponent of whom so much is known."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _find_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility: step 5 of the paper, by the Illinois algorithm."""
    begin = log(sigma**2)

    def miss(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - begin) / TAU**2

    low, high = begin, _find_other_end(miss, begin, delta**2 - phi**2 - variance)
    at_low, at_high = miss(low), miss(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = miss(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def _find_other_end(miss: Callable[[float], float], begin: float, surprise: float) -> float:
    """Return where the search for a volatility ends; after a surprise that is known."""
    if surprise > 0:
        return log(surprise)
    step = 1
    while miss(begin - step * TAU) < 0:
        step += 1
    return begin - step * TAU
