"""The levels between `medium` and `hard`: players who look ahead, but not far.

Their mistakes are those of people. They consider the few answers that promise most at once, follow
each for a turn or two, and picture few of the tiles that may come. What they do not see is the
answer that looks worse at first, and what takes longer than they look.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.carcassonne.search import SearchEffort, search
from cartulary.bots.thought import Budget, Thought
from cartulary.engine.carcassonne.state import CarcassonneState

ABLE: Final = SearchEffort(width=2, depth=1, rounds=0)
GOOD: Final = SearchEffort(width=8, depth=2, rounds=0)
STRONG: Final = SearchEffort(width=16, depth=4, rounds=0)


def think_ably(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the better of two answers, as far as the next turn shows."""
    return search(state, rng, budget, ABLE)


def think_well(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the best of eight answers, as far as two turns show."""
    return search(state, rng, budget, GOOD)


def think_strongly(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the best of sixteen answers, as far as four turns show."""
    return search(state, rng, budget, STRONG)
