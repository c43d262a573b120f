"""Purses and points, and the facts that tell how they changed.

Every change of a purse or of the points goes through here, so the facts `gained`, `paid` and
`points` add up to the holdings. Facts are only made when `state.facts` is a list. Where a
`place` is given, the fact says the place and the building that stands there.
"""

from __future__ import annotations

from typing import Any

from cartulary.engine.caylus.buildings import TILE_IDS
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.places import INN, INN_RIGHT, PLACE_IDS, ROAD
from cartulary.engine.caylus.position import Position
from cartulary.engine.core import Json


def where(state: Position, place: int) -> Json:
    """Return `space` and, on the road, `building` of a place for a fact; {} for place 0."""
    if not place:
        return {}
    if place in ROAD:
        return {"space": PLACE_IDS[place], "building": TILE_IDS[state.building[place]]}
    return {"space": PLACE_IDS[INN if place == INN_RIGHT else place]}


def tell(state: Position, fact: str, place: int = 0, **said: Any) -> None:
    """Record a fact, unless `state.facts` is None."""
    if state.facts is not None:
        state.facts.append({"type": fact, **said, **where(state, place)})


def score(
    state: Position, seat: int, points: int, reason: str, place: int = 0, **said: Any
) -> None:
    """Add prestige points."""
    state.scores[seat] += points
    if state.facts is not None:
        tell(state, "points", place, seat=seat, points=points, reason=reason, **said)


def lose(state: Position, seat: int, penalty: int, reason: str, **said: Any) -> None:
    """Take prestige points away, never below 0 (rules 3, phases 6 and 7)."""
    lost = min(penalty, state.scores[seat])
    state.scores[seat] -= lost
    if state.facts is not None:
        tell(state, "points", seat=seat, points=-lost, reason=reason, penalty=penalty, **said)


def earn(
    state: Position, seat: int, deniers: int, reason: str, place: int = 0, **said: Any
) -> None:
    """Give deniers to a seat."""
    state.goods[KINDS * seat + DENIERS] += deniers
    if state.facts is not None:
        goods = {"deniers": deniers}
        tell(state, "gained", place, seat=seat, goods=goods, reason=reason, **said)


def spend(state: Position, seat: int, deniers: int, reason: str, place: int = 0) -> None:
    """Take deniers from a seat, which has them."""
    state.goods[KINDS * seat + DENIERS] -= deniers
    if state.facts is not None:
        goods = {"deniers": deniers}
        tell(state, "paid", place, seat=seat, goods=goods, reason=reason)


def exchange(
    state: Position, seat: int, move: Move, reason: str, place: int = 0, **said: Any
) -> None:
    """Let the goods of a move change hands; the seat has what it gives."""
    goods, purse = state.goods, KINDS * seat
    for good, difference in move.change:
        goods[purse + good] += difference
    if state.facts is not None:
        for fact, bundle in (("paid", move.give), ("gained", move.get)):
            if any(bundle):
                tell(state, fact, place, seat=seat, goods=bundle.to_json(), reason=reason, **said)


def affordable(state: Position, seat: int, offers: tuple[Move, ...]) -> list[Move]:
    """Return the moves whose price the seat can pay, in order."""
    purse = KINDS * seat
    food, wood, stone, cloth, gold, deniers = state.goods[purse : purse + KINDS]
    return [
        move
        for move in offers
        if move.food <= food
        and move.wood <= wood
        and move.stone <= stone
        and move.cloth <= cloth
        and move.gold <= gold
        and move.deniers <= deniers
    ]
