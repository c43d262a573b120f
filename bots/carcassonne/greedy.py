"""The bot that looks one turn ahead: every placement with every follower, by projected score."""

from __future__ import annotations

import random

from cartulary.bots.carcassonne.turn import list_worths
from cartulary.engine.carcassonne.state import CarcassonneState


def play_greedily(state: CarcassonneState, rng: random.Random) -> int:
    """Return the move that promises most; ties are broken by `rng`."""
    worths = list_worths(state)
    best = max(worths)
    return rng.choice([m for m, worth in zip(state.moves(), worths, strict=True) if worth == best])
