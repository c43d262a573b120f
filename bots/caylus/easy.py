"""The bot that plays like a person in their second game.

It makes the mistakes of such a person: it has no plan for the castle, it takes it that the provost
stays where he is, and it does not see every move.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.weights import MEDIUM, Weights
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState

OVERLOOKED: Final = 0.13
"""The chance that a move is not seen."""

BEGINNER: Final[Weights] = MEDIUM._replace(
    favours_of_houses=tuple([tuple([0.0] * len(row)) for row in MEDIUM.favours_of_houses]),
    ready=0.0,
    most_batches=0.0,
    distant=5.0,
    sure=-len(MEDIUM.activated),
)
"""A player who builds in the castle for its points alone, thinks of the penalty when it is due, and
trusts the provost."""


def play_easily(state: CaylusState, rng: random.Random) -> Move:
    """Return the move that looks best among those that are seen."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    clearness = [rng.random() for _ in moves]
    least = min(OVERLOOKED, max(clearness))
    worths = zip(judge(state, BEGINNER), clearness, moves, strict=True)
    seen = [(worth, move) for worth, clear, move in worths if clear >= least]
    best = max(worth for worth, _ in seen)
    return rng.choice([move for worth, move in seen if worth == best])
