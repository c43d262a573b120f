"""Why a move is illegal, in words."""

from __future__ import annotations

from typing import Final

from cartulary.engine.canonical import quote
from cartulary.engine.carcassonne.contract import CONTRACT
from cartulary.engine.carcassonne.features import FOLLOWERS
from cartulary.engine.carcassonne.laid import DEMANDS, PERIOD, demand, turn_edges
from cartulary.engine.carcassonne.position import Position, cell_at
from cartulary.engine.carcassonne.tiles import LETTERS, TILES
from cartulary.engine.contract import phrase
from cartulary.engine.core import Json
from cartulary.engine.errors import Reason

_FARTHEST: Final = 100
"""No tile can lie this far from the start: the set has 72."""

_SIDE_NAMES: Final = ("north", "east", "south", "west")
_EDGE_NAMES: Final = {number: kind for kind, number in DEMANDS.items()}


def explain(state: Position, move: Json) -> Reason:
    """Return which rule `move`, which is not legal in `state`, breaks; it may be any JSON."""
    return (
        _shape_fault(state.kind, move)
        or (_tile_fault if state.kind == "place_tile" else _follower_fault)(state, move)
        or Reason(f"{quote(move)} is not a legal answer to {state.kind!r}", "not_legal")
    )


def _shape_fault(kind: str, move: Json) -> Reason | None:
    """Explain a wrong kind of decision, or a key too few or too many (`docs/moves.md`)."""
    wanted = CONTRACT.decisions[kind].moves
    name = move.get("type")
    if not isinstance(name, str) or name not in wanted:
        sentence = f"the decision is {kind!r}: it wants {' or '.join(wanted)}, not {quote(name)}"
        return Reason(sentence, "other_question", ask=kind)
    for fault in CONTRACT.faults_of_move(move):
        # For a wrong segment the rules say which segments the tile has.
        if fault.path != ("segment",) or fault.keyword not in ("type", "enum"):
            return Reason(phrase(fault, name), "no_such_move")
    return None


def _tile_fault(state: Position, move: Json) -> Reason | None:
    x, y, rotation = move["x"], move["y"], move["rotation"]
    if max(abs(x), abs(y)) >= _FARTHEST or cell_at(x, y) not in state.board.open:
        return _cell_fault(state, x, y)
    period = PERIOD[state.tile] * 90
    fault = _edge_fault(state, x, y, rotation)
    if fault is not None or rotation < period:
        return fault
    return Reason(
        f"tile {LETTERS[state.tile]} looks the same at {rotation} as at {rotation % period}: "
        f"only the smallest rotation is legal (below {period})",
        "same_rotation",
    )


def _cell_fault(state: Position, x: int, y: int) -> Reason:
    cell = f"({quote(x)}, {quote(y)})"
    if max(abs(x), abs(y)) < _FARTHEST and cell_at(x, y) in state.board.tiles:
        return Reason(f"the cell {cell} is occupied", "cell_taken")
    sentence = f"the cell {cell} is not adjacent to a tile: one side at least must touch (rules 2)"
    return Reason(sentence, "not_adjacent")


def _edge_fault(state: Position, x: int, y: int, rotation: int) -> Reason | None:
    code = state.board.open[cell_at(x, y)]
    edges = turn_edges(TILES[state.tile], rotation // 90)
    clashes = [
        {"side": _SIDE_NAMES[side], "edge": edges[side], "meets": _EDGE_NAMES[demand(code, side)]}
        for side in range(4)
        if demand(code, side) not in (0, DEMANDS[edges[side]])
    ]
    if not clashes:
        return None
    tile = LETTERS[state.tile]
    said = [f"{one['edge']} meets {one['meets']} on the {one['side']} side" for one in clashes]
    sentence = f"the edges of tile {tile} at rotation {rotation} do not match: {', '.join(said)}"
    return Reason(sentence, "edges_differ", clashes=clashes)


def _follower_fault(state: Position, move: Json) -> Reason | None:
    if move["type"] != "place_follower":
        return None
    placed = state.board.read_tile(state.last)
    ids = [segment.id for segment in placed.tile.segments]
    if move["segment"] not in ids:
        return Reason(
            f"tile {placed.tile.letter} has no segment {quote(move['segment'])}; "
            f"it has {', '.join(ids)}",
            "no_segment",
        )
    number = ids.index(move["segment"])
    root = state.features.root(placed.base + number)
    held = state.features.followers(root, state.seats)
    if not state.features.records[root] >> FOLLOWERS:
        return None
    holders = [seat for seat, count in enumerate(held) if count]
    seats = " and ".join(map(str, holders))
    kind = placed.tile.segments[number].kind
    sentence = f"the {kind} of {move['segment']} already holds a follower of seat {seats} (rules 2)"
    return Reason(sentence, "feature_held", holders=holders, segment=move["segment"])
