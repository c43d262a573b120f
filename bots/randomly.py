"""The bot that plays anything legal."""

from __future__ import annotations

import random
from typing import Any

from cartulary.bots.base import BotEntry
from cartulary.engine.core import State


def play_randomly(state: State[Any], rng: random.Random) -> Any:
    """Return a legal move, each as likely as the others."""
    moves = state.moves()
    return moves[int(rng.random() * len(moves))]


RANDOM = BotEntry(play_randomly, "Plays any legal move; good for trying things out.")
