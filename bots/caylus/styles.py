"""Styles: `medium` with other beliefs, for measuring and tuning; people cannot choose them.

`POOL` is what the weights are tuned against; `ASIDE` is kept aside, to check what the tuning found.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from cartulary.bots.base import Bot
from cartulary.bots.caylus.greedy import choose_greedily
from cartulary.bots.caylus.weights import MEDIUM, Weights
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState


class Style:
    """A bot that plays as `medium` with beliefs of its own."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def __call__(self, state: CaylusState, rng: random.Random) -> Move:
        """Return the move that promises most; ties are broken by `rng`."""
        return choose_greedily(state, rng, self.weights)


def scale(factor: float, worths: tuple[float, ...]) -> tuple[float, ...]:
    """Return the worths, each times a factor."""
    return tuple([factor * worth for worth in worths])


BUILDER: Final = MEDIUM._replace(
    craft=tuple([(tile, 1.7 * worth) for tile, worth in MEDIUM.craft]),
    income=1.0,
    site=3.5,
    craftsman=4.0,
)
"""Builds early and much: houses on the road and residences are worth half as much again."""

CASTLE: Final = MEDIUM._replace(
    favours_of_houses=tuple([scale(1.4, favours) for favours in MEDIUM.favours_of_houses]),
    ready=2.4,
    distant=0.1,
    most_batches=1.0,
)
"""Gives batches from the first round on, and fears a section without a house of its own."""

COLLECTOR: Final = MEDIUM._replace(
    cubes=tuple([scale(1.3, worths) for worths in MEDIUM.cubes]),
    deniers=scale(1.2, MEDIUM.deniers),
    goods_half_time=0.5,
)
"""Collects cubes and deniers, and turns them into points late."""

THRIFTY: Final = MEDIUM._replace(deniers=scale(1.5, MEDIUM.deniers), income=1.0, inn_guest=0.8)
"""Saves deniers, and leaves places to others that cost too much."""

COURTIER: Final = MEDIUM._replace(
    favour=scale(1.3, MEDIUM.favour), marker=scale(2.0, MEDIUM.marker), most_batches=0.9
)
"""Runs after royal favours, at the joust and in the castle."""

RIVAL: Final = MEDIUM._replace(rivalry=0.8, earlier=0.6, active_worker=2.2, sure=5)
"""Takes from the others what they want, and plays with the provost."""

POOL: Final[Mapping[str, Bot]] = {
    "thrifty": Style(THRIFTY),
    "courtier": Style(COURTIER),
    "rival": Style(RIVAL),
}
"""The styles that weights are tuned against."""

ASIDE: Final[Mapping[str, Bot]] = {
    "builder": Style(BUILDER),
    "castle": Style(CASTLE),
    "collector": Style(COLLECTOR),
}
"""The styles that are kept aside: nothing is tuned against them."""
