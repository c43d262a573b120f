"""The levels between `medium` and `hard`: players who look ahead, but not to the end of the round.

Their mistakes are those of people. They follow the moves that look best for some choices of all
seats, and take it that no player places another worker after that: so they do not see who comes
before them in the end, nor what the provost does then.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.caylus.leaf import LEARNED, look_out
from cartulary.bots.caylus.search import think
from cartulary.bots.thought import Budget, Thought
from cartulary.engine.caylus.state import CaylusState

ABLE: Final = 1
GOOD: Final = 3
STRONG: Final = 4
"""So many choices each level foresees."""


def think_ably(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best as far as the next choice shows, by the outlook of `medium`."""
    return think(state, rng, budget, 1, look_out, ABLE)


def think_well(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best as far as three choices show, by the outlook of `medium`."""
    return think(state, rng, budget, 1, look_out, GOOD)


def think_strongly(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best as far as four choices show, by the leaf of `hard`."""
    return think(state, rng, budget, 1, LEARNED, STRONG)
