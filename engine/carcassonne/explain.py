"""Why a move is illegal, in words."""

from __future__ import annotations

from typing import Final

from cartulary.engine.canonical import quote
from cartulary.engine.carcassonne.contract import CONTRACT
from cartulary.engine.carcassonne.features import FOLLOWERS
from cartulary.engine.carcassonne.laid import DEMANDS, PERIOD, cell_at, demand, turn_edges
from cartulary.engine.carcassonne.position import Position
from cartulary.engine.carcassonne.tiles import LETTERS, TILES
from cartulary.engine.contract import phrase
from cartulary.engine.core import Json

_FARTHEST: Final = 100
"""No tile can lie this far from the start: the set has 72."""

_SIDE_NAMES: Final = ("north", "east", "south", "west")
_EDGE_NAMES: Final = {number: kind for kind, number in DEMANDS.items()}


def explain(state: Position, move: Json) -> str:
    """Return which rule `move`, which is not legal in `state`, breaks; it may be any JSON."""
    return (
        _shape_fault(state.kind, move)
        or (_tile_fault if state.kind == "place_tile" else _follower_fault)(state, move)
        or f"{quote(move)} is not a legal answer to the decision {state.kind!r}"
    )


def _shape_fault(kind: str, move: Json) -> str | None:
    """Wrong kind of decision, a key too few or too many (`contract/moves.md`, rule 1)."""
    wanted = CONTRACT.decisions[kind].moves
    name = move.get("type")
    if not isinstance(name, str) or name not in wanted:
        return f"the decision is {kind!r}: it wants {' or '.join(wanted)}, not {quote(name)}"
    for fault in CONTRACT.faults_of_move(move):
        # For a wrong segment the rules say which segments the tile has.
        if fault.path != ("segment",) or fault.keyword not in ("type", "enum"):
            return phrase(fault, name)
    return None


def _tile_fault(state: Position, move: Json) -> str | None:
    x, y, rotation = move["x"], move["y"], move["rotation"]
    if max(abs(x), abs(y)) >= _FARTHEST or cell_at(x, y) not in state.board.open:
        return _cell_fault(state, x, y)
    period = PERIOD[state.tile] * 90
    return _edge_fault(state, x, y, rotation) or (
        f"tile {LETTERS[state.tile]} looks the same at {rotation} as at {rotation % period}: "
        f"only the smallest rotation is legal (below {period})"
        if rotation >= period
        else None
    )


def _cell_fault(state: Position, x: int, y: int) -> str:
    cell = f"({quote(x)}, {quote(y)})"
    if max(abs(x), abs(y)) < _FARTHEST and cell_at(x, y) in state.board.tiles:
        return f"the cell {cell} is occupied"
    return f"the cell {cell} is not adjacent to a tile: one side at least must touch (rules 2)"


def _edge_fault(state: Position, x: int, y: int, rotation: int) -> str | None:
    code = state.board.open[cell_at(x, y)]
    edges = turn_edges(TILES[state.tile], rotation // 90)
    faults = [
        f"{edges[side]} meets {_EDGE_NAMES[demand(code, side)]} on the {_SIDE_NAMES[side]} side"
        for side in range(4)
        if demand(code, side) not in (0, DEMANDS[edges[side]])
    ]
    if not faults:
        return None
    tile = LETTERS[state.tile]
    return f"the edges of tile {tile} at rotation {rotation} do not match: " + ", ".join(faults)


def _follower_fault(state: Position, move: Json) -> str | None:
    if move["type"] != "place_follower":
        return None
    placed = state.board.read_tile(state.last)
    ids = [segment.id for segment in placed.tile.segments]
    if move["segment"] not in ids:
        return (
            f"tile {placed.tile.letter} has no segment {quote(move['segment'])}; "
            f"it has {', '.join(ids)}"
        )
    number = ids.index(move["segment"])
    root = state.features.root(placed.base + number)
    held = state.features.followers(root, state.seats)
    if not state.features.records[root] >> FOLLOWERS:
        return None
    seats = " and ".join(str(seat) for seat, count in enumerate(held) if count)
    kind = placed.tile.segments[number].kind
    return f"the {kind} of {move['segment']} already holds a follower of seat {seats} (rules 2)"
