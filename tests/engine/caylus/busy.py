"""A player for the tests that gets around: it builds, converts, trades and takes every favour.

Purely random play hardly ever builds a cathedral; coverage and conservation want to see one.
"""

from __future__ import annotations

import random

from cartulary.engine.caylus.buildings import CRAFT_TILES
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.places import ROAD
from cartulary.engine.caylus.position import NO_SEAT
from cartulary.engine.caylus.state import CaylusState

USUAL = 10
EAGER = {
    "build": 30,
    "build_prestige": 200,
    "convert": 15,
    "offer_batch": 8,
    "joust": 20,
    "pass": 1,
    "decline": 2,
    "leave": 2,
}
"""How likely the moves of a type are; `USUAL` where nothing is said."""

LIKED = {
    "lawyer": 10,
    "mason": 8,
    "architect_1": 8,
    "alchemist": 5,
    "bank": 5,
    "buildings": 3,
    "castle": 3,
    "joust_field": 3,
    "gate": 2,
    "road-16": 4,
    "road-8": 2,
}
"""Buildings, lines and places that are so many times likelier than others."""


def weight(state: CaylusState, move: Move) -> int:
    json = move.json
    factor = 1
    for key in ("building", "line", "space"):
        factor *= LIKED.get(json.get(key, ""), 1)
    if json["type"] == "place_worker" and move.number in ROAD:
        factor *= 5 if state.building[move.number] in CRAFT_TILES else 1
    if json["type"] == "convert" and state.worker[move.space] != NO_SEAT:
        factor *= 10
    return factor * EAGER.get(json["type"], USUAL)


def choose(state: CaylusState, rng: random.Random) -> Move:
    """Return a legal move, at random but by weight."""
    moves = state.moves()
    return rng.choices(moves, [weight(state, move) for move in moves])[0]
