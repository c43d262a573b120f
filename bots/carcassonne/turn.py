"""The answers of a decision with their worths, each as exact as an outlook after it.

Worths of one decision compare with each other; what all its answers share is left out.
"""

from __future__ import annotations

from typing import NamedTuple

from cartulary.bots.carcassonne.placing import Placing
from cartulary.bots.carcassonne.ratings import FIELD, KINDS, Ratings
from cartulary.engine.carcassonne.features import CLOSABLE, FOLLOWERS, OPEN_ENDS
from cartulary.engine.carcassonne.laid import LAID_BITS, LAID_MASK, NEAR
from cartulary.engine.carcassonne.position import PLACE_TILE, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState


class PlacementAnswer(NamedTuple):
    """An answer of the pending decision: its worth, the move, and the follower of a placement."""

    worth: int
    move: int
    segment: int = SKIP


def list_worths(state: CarcassonneState) -> list[int]:
    """Return the worth of every legal move, in the order of `moves()`.

    A placement is worth what it is with its best follower.
    """
    if state.kind != PLACE_TILE:
        return _rate_followers(Ratings(state))
    ratings, tile = Ratings(state), 4 * state.tile
    return [
        max(Placing(ratings, move & ~3, tile + move % 4).list_options())[0]
        for move in state.moves()
    ]


def list_answers(state: CarcassonneState, farmer_cost: int = 0) -> list[PlacementAnswer]:
    """Return every answer with its worth: placements with each follower, or followers.

    `farmer_cost`, in units, is subtracted for each new follower on a field.
    """
    ratings = Ratings(state, farmer_cost)
    if state.kind != PLACE_TILE:
        worths = _rate_followers(ratings)
        return [PlacementAnswer(*pair) for pair in zip(worths, state.moves(), strict=True)]
    tile = 4 * state.tile
    return [
        PlacementAnswer(worth, move, segment)
        for move in state.moves()
        for worth, segment in Placing(ratings, move & ~3, tile + move % 4).list_options()
    ]


def _rate_followers(ratings: Ratings) -> list[int]:
    """Return the worth of each follower on the tile that lies, and of none."""
    state = ratings.state
    packed = state.board.tiles[state.last]
    base, tile = packed >> LAID_BITS, (packed & LAID_MASK) >> 2
    back = _find_home(state, base, tile)
    plain, spent = ratings.rate_supply(back, 0), ratings.rate_supply(back, 1)
    worths = []
    for segment in state.moves():
        if segment == SKIP:
            worths.append(plain)
            continue
        gain, stays = _gain(ratings, base + segment, KINDS[tile][segment])
        worths.append(gain + (spent if stays else plain))
    return worths


def _gain(ratings: Ratings, node: int, kind: int) -> tuple[int, bool]:
    """Return what a follower in a feature brings, and whether it stays there."""
    root = ratings.root(node)
    record, marks = ratings.records[root], ratings.marks[root]
    if kind == FIELD:
        return ratings.rate_farmer(ratings.close_cities(marks)), True
    if not record & OPEN_ENDS:
        return ratings.own * ratings.rate_closed(kind, record, marks.bit_count()), False
    points, home = ratings.rate_open(kind, record, marks.bit_count())
    return ratings.own * (points + home), True


def _find_home(state: CarcassonneState, base: int, tile: int) -> int:
    """Return the followers that come home from what the tile has completed, packed."""
    features, back = state.features, 0
    for root in {features.root(base + segment) for segment in range(CLOSABLE[tile])}:
        if not features.records[root] & OPEN_ENDS:
            back += features.records[root] >> FOLLOWERS
    for cell, node in state.monasteries.items():
        if state.last - cell in NEAR and not features.records[node] & OPEN_ENDS:
            back += features.records[node] >> FOLLOWERS
    return back
