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

ABLE: Final = {2: 1, 3: 2, 4: 3, 5: 4}
GOOD: Final = {2: 3, 3: 5, 4: 5, 5: 9}
STRONG: Final = {2: 4, 3: 6, 4: 4, 5: 5}
"""The number of choices that a level foresees, by the number of seats. At a larger table more
choices of others follow a move, so the same sight is worth less there; the numbers space the ladder
(`python -m bench levels`)."""


def think_ably(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best when the next seats have chosen, by the outlook of `medium`."""
    return think(state, rng, budget, 1, look_out, ABLE[state.seats])


def think_well(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best some choices later, by the outlook of `medium`."""
    return think(state, rng, budget, 1, look_out, GOOD[state.seats])


def think_strongly(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
    """Return the move that is best some choices later, by the leaf of `hard`."""
    return think(state, rng, budget, 1, LEARNED, STRONG[state.seats])
