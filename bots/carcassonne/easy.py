"""The bot that plays like a person in their second game.

It sees the points of cities, roads and monasteries about as greedily as `greedy`, but misjudges
each answer a little, and never thinks of farms.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.ratings import FIELD, KINDS
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.engine.carcassonne.board import LAID_MASK, PLACE_TILE
from cartulary.engine.carcassonne.position import SKIP
from cartulary.engine.carcassonne.state import CarcassonneState

MISJUDGED: Final = 5.0
"""Points by which an answer is misjudged at most, for better or worse; mostly it is less."""


def play_easily(state: CarcassonneState, rng: random.Random) -> int:
    """Return a move that looks good."""
    noise = int(MISJUDGED * UNIT) * (state.seats - 1)
    best, choice = None, SKIP
    for worth, move, segment in list_answers(state):
        follower = segment if state.kind == PLACE_TILE else move
        if follower != SKIP and _is_field(state, follower):
            continue
        seen = worth + int(noise * (rng.random() + rng.random() - 1))
        if best is None or seen > best:
            best, choice = seen, move
    return choice


def _is_field(state: CarcassonneState, segment: int) -> bool:
    if state.kind == PLACE_TILE:
        tile = state.tile
    else:
        tile = (state.board.tiles[state.last] & LAID_MASK) >> 2
    return KINDS[tile][segment] == FIELD
