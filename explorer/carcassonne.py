"""Carcassonne: this tile into this kind of gap.

Of a position matter the tile in hand, the followers that the seat has left and how much of the bag
is left. A placement is known by what it joins: for each city and road of the tile that meets
another tile, whose it becomes and whether it is complete then; for monasteries nearby, whose they
are. Coordinates and rotations do not matter, nor do fields, which each placement joins.
"""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.carcassonne.features import FOLLOWERS, MONASTERY, OPEN_ENDS, RECORDS
from cartulary.engine.carcassonne.laid import AROUND, JOINS, LAID_BITS, LAID_MASK, OCCUPIED, PORTS
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import LETTERS, TILES
from cartulary.explorer.parts import AskedParts

MIDDLE, END = 48, 24
"""The opening ends when `MIDDLE` tiles are left, the middle when `END` are."""

OPENING_TILES: Final = 9
"""The most tiles that lie at a question that has a narrow key: the eighth turn."""

FEW: Final = 3
FIELDS: Final = "fields"


def ask_carcassonne(state: Any) -> AskedParts:
    """Return what matters at a decision of Carcassonne."""
    if state.kind == PLACE_FOLLOWER:
        answers = [_describe_follower(state, move) for move in state.moves()]
        letter = TILES[_find_last(state)].letter
    else:
        answers = [_describe_gap(state, move) for move in state.moves()]
        letter = LETTERS[state.tile]
    parts = (state.kind, letter, _find_stage(state), _count_followers(state))
    early = len(state.board.tiles) <= OPENING_TILES
    return AskedParts(parts, sorted(set(answers)) if early else None, answers)


def _find_stage(state: CarcassonneState) -> str:
    if state.left >= MIDDLE:
        return "opening"
    return "middle" if state.left >= END else "end"


def _count_followers(state: CarcassonneState) -> str:
    left = state.supply[state.turn]
    return "no-follower" if not left else "few-followers" if left < FEW else "many-followers"


def _find_last(state: CarcassonneState) -> int:
    return (state.board.tiles[state.last] & LAID_MASK) >> 2


# -- placing a tile ------------------------------------------------------------------------------


def _describe_gap(state: CarcassonneState, move: int) -> str:
    """Return what a placement joins, in words that are sorted: the board has no directions."""
    rotation = move % 4
    cell = move - rotation
    words = [
        f"{TILES[state.tile].segments[number].kind}-{_name_owner(state, held)}"
        f"{'' if ends else '-closed'}"
        for number, (held, ends) in _join(state, cell, rotation).items()
    ]
    words += _describe_monasteries(state, cell)
    return "+".join(sorted(words)) or FIELDS


def _join(state: CarcassonneState, cell: int, rotation: int) -> dict[int, tuple[int, int]]:
    """Return, by city or road of the tile that meets a tile: followers, and open ends then."""
    tile, board, features = state.tile, state.board, state.features
    roots: dict[int, set[int]] = {}
    joins: dict[int, int] = {}
    laid = 4 * tile + rotation
    for step, side, ports in JOINS[laid][OCCUPIED[board.open[cell]]]:
        packed = board.tiles[cell + step]
        mine, other = ports[0], PORTS[packed & LAID_MASK][side][0]
        if TILES[tile].segments[mine].kind == "field":
            continue
        roots.setdefault(mine, set()).add(features.root((packed >> LAID_BITS) + other))
        joins[mine] = joins.get(mine, 0) + 1
    return {
        mine: (
            sum(features.records[root] >> FOLLOWERS for root in found),
            (RECORDS[tile][mine] & OPEN_ENDS)
            + sum(features.records[root] & OPEN_ENDS for root in found)
            - 2 * joins[mine],
        )
        for mine, found in roots.items()
    }


def _name_owner(state: CarcassonneState, held: int) -> str:
    """Return whose a feature is, by the followers in it: four bits for each seat."""
    own = held >> 4 * state.turn & 0xF
    if held == own << 4 * state.turn:
        return "own" if own else "free"
    return "shared" if own else "other"


def _describe_monasteries(state: CarcassonneState, cell: int) -> list[str]:
    """Return whose monasteries lie around, and how full it is around a monastery in hand."""
    records = state.features.records
    owners = {
        _name_owner(state, records[node] >> FOLLOWERS)
        for centre, node in state.monasteries.items()
        if cell - centre in AROUND and records[node] >> FOLLOWERS
    }
    words = [f"monastery-{owner}" for owner in owners]
    if state.tile in MONASTERY:
        around = sum(cell + step in state.board.tiles for step in AROUND)
        words.append("around-few" if around < FEW else "around-many")
    return words


# -- placing a follower --------------------------------------------------------------------------


def _describe_follower(state: CarcassonneState, move: int) -> str:
    if move == SKIP:
        return "skip"
    features = state.features
    node = (state.board.tiles[state.last] >> LAID_BITS) + move
    kind = TILES[_find_last(state)].segments[move].kind
    if kind == "field":
        return kind
    closed = not features.records[features.root(node)] & OPEN_ENDS
    return f"{kind}-closed" if closed else kind
