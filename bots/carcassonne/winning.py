"""How likely each seat wins, from what every seat may expect to have in the end."""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT

DOUBT: Final = 20
"""Points that multiply the chance of a seat by e, with `DOUBTFUL` tiles left."""

DOUBTFUL: Final = 36

LAST_TILES: Final = 4
"""At the end estimates are as doubtful as they are with this number of tiles left."""

STEPS: Final = 32
"""The steps in which `DOUBT` is divided."""

LOSS: Final = 1_065_683_211_334
"""e to the power of -1/32, in 2 ** -40ths: whole numbers are equal on every machine."""


def share_win(values: list[int], seat: int, left: int) -> int:
    """Return the share of the win that a seat may expect, in units, with `left` tiles to come.

    Each seat has a weight that falls with its distance to the best seat (softmax).
    """
    step, best, powers = rate_doubt(left), max(values), list_powers()
    total = mine = 0
    for other, value in enumerate(values):
        behind = (best - value) // step
        weight = powers[behind] if behind < len(powers) else 0
        total += weight
        if other == seat:
            mine = weight
    return UNIT * mine // total


@cache
def rate_doubt(left: int) -> int:
    """Return a step of the doubt in units: it grows with the root of the tiles to come."""
    square = UNIT * UNIT * (left + LAST_TILES) // (DOUBTFUL + LAST_TILES)
    return DOUBT * isqrt(square) // STEPS


@cache
def list_powers() -> tuple[int, ...]:
    """Return the powers of e to the power of -1/32, until they are too small to count."""
    powers, power = [], 1 << 40
    while power > 1 << 20:
        powers.append(power)
        power = power * LOSS >> 40
    return tuple(powers)
