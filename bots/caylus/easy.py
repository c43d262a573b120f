"""The bot that plays like a person in their second game: as `greedy`, with mistakes.

It misjudges each move a little, so it often takes the second or third best.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.caylus.greedy import judge
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState

MISJUDGED: Final = 1.6
"""Points by which a move is misjudged at most, for better or worse; mostly it is less."""


def play_easily(state: CaylusState, rng: random.Random) -> Move:
    """Return a move that looks good."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    seen = [worth + MISJUDGED * (rng.random() + rng.random() - 1) for worth in judge(state)]
    return moves[seen.index(max(seen))]
