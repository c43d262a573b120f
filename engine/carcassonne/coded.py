"""Carcassonne as numbers: the table of actions, and what a position looks like as floats.

A table holds at most 72 tiles side by side, so no tile lies further than 71 steps from the start
tile. Every cell within that distance stands in the table with its four rotations.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from cartulary.engine.carcassonne.laid import LAID_BITS, LAID_MASK
from cartulary.engine.carcassonne.position import (
    PLACE_FOLLOWER,
    PLACE_TILE,
    SUPPLY,
    Position,
    cell_at,
    placement,
    position,
)
from cartulary.engine.carcassonne.tiles import BAG, TILES
from cartulary.engine.coded import (
    FLOAT_BYTES,
    Actions,
    check_seat,
    lay_out,
    open_array,
    size_of,
    zeros,
)

ACTIONS_VERSION: Final = 1
TENSOR_VERSION: Final = 1

REACH: Final = sum(BAG)
"""The most steps between the start tile and another tile."""

SEGMENTS: Final = ("c0", "c1", "r0", "r1", "r2", "r3", "m0", "f0", "f1", "f2", "f3")
"""Every id that a segment of a tile has."""

SKIP_CODE: Final = 0
FIRST_PLACEMENT: Final = 1 + len(SEGMENTS)

# -- moves ---------------------------------------------------------------------------------------

ANSWER_CODES: Final[tuple[tuple[int, ...], ...]] = tuple(
    (*(1 + SEGMENTS.index(segment.id) for segment in tile.segments), SKIP_CODE) for tile in TILES
)
"""By tile and segment: the code of a follower there. The last one, at `SKIP`, is that of none."""


@cache
def placement_codes() -> dict[int, int]:
    """Return the code of each placement: row by row, the north first; the rotations ascend."""
    cells = (
        cell_at(x, y)
        for y in range(-REACH, REACH + 1)
        for x in range(abs(y) - REACH, REACH - abs(y) + 1)
        if x or y
    )
    placements = (cell + rotation for cell in cells for rotation in range(4))
    return {move: FIRST_PLACEMENT + at for at, move in enumerate(placements)}


class CarcassonneActions(Actions):
    """Skipping, a follower on each segment, a tile on each cell in each rotation."""

    def __init__(self) -> None:
        super().__init__(ACTIONS_VERSION)
        self._codes = placement_codes()
        self._placements = list(self._codes)

    def __len__(self) -> int:
        """Return how many moves there are."""
        return FIRST_PLACEMENT + len(self._placements)

    def _make(self, code: int) -> dict[str, Any]:
        if code >= FIRST_PLACEMENT:
            return placement(self._placements[code - FIRST_PLACEMENT]).copy()
        if code == SKIP_CODE:
            return {"type": "skip_follower"}
        return {"type": PLACE_FOLLOWER, "segment": SEGMENTS[code - 1]}

    def _find(self, move: Mapping[str, Any]) -> int:
        if move.get("type") == PLACE_TILE:
            x, y, rotation = move.get("x"), move.get("y"), move.get("rotation")
            if type(x) is type(y) is type(rotation) is int:
                return self._codes.get(cell_at(x, y) + rotation // 90, SKIP_CODE)
        segment = move.get("segment")
        return 1 + SEGMENTS.index(segment) if segment in SEGMENTS else SKIP_CODE


@cache
def all_actions() -> CarcassonneActions:
    """Return the table, made when it is asked for first: it takes some megabytes."""
    return CarcassonneActions()


def list_codes(state: Position) -> list[int]:
    """Return the codes of the legal moves."""
    if state.kind == PLACE_TILE:
        codes = placement_codes()
        return [codes[move] for move in state.moves()]
    if not state.kind:
        return []
    answers = ANSWER_CODES[(state.board.tiles[state.last] & LAID_MASK) >> 2]
    return [answers[move] for move in state.moves()]


# -- positions -----------------------------------------------------------------------------------

_SEATS: Final = 5
_ROWS: Final = REACH + 1
_LETTERS: Final = len(TILES)
_LETTER: Final = 3
_ROTATION: Final = _LETTER + _LETTERS
_OWNER: Final = _ROTATION + 4
_SEGMENT: Final = _OWNER + _SEATS
_LAST: Final = _SEGMENT + len(SEGMENTS)
ROW: Final = _LAST + 1
"""Floats of a tile on the table."""

PLANES: Final = lay_out(
    (
        ("seats", (4,), "2, 3, 4 or 5 seats, one of them 1"),
        ("tiny_city", (1,), "1 when a completed city of two tiles brings 2 points"),
        ("kind", (2,), "1 for the pending decision: `place_tile`, `place_follower`"),
        ("turn", (_SEATS,), "1 for the seat whose turn it is; 0 is the seat that looks"),
        ("scores", (_SEATS,), "points of each seat / 100, from the seat that looks"),
        ("followers", (_SEATS,), "followers in supply / 7, from the seat that looks"),
        ("tile", (_LETTERS,), "1 for the letter of the tile in hand, A to X"),
        ("bag", (_LETTERS,), "copies left in the bag by letter / 9"),
        ("discarded", (_LETTERS,), "copies set aside by letter / 9"),
        (
            "board",
            (_ROWS, ROW),
            "a row for each tile in placement order: 1, x / 71, y / 71, the letter (24), the "
            "rotation (4: 0, 90, 180, 270), whose follower stands on it (5, from the seat that "
            "looks), on which segment (11: c0 c1 r0 r1 r2 r3 m0 f0 f1 f2 f3), 1 on the tile laid "
            "last; 0 in rows without a tile",
        ),
    )
)
SIZE: Final = size_of(PLANES)
_START: Final[dict[str, int]] = {plane.name: plane.start for plane in PLANES}
_KIND: Final = _START["kind"]
_TURN: Final = _START["turn"]
_SCORES: Final = _START["scores"]
_FOLLOWERS: Final = _START["followers"]
_TILE: Final = _START["tile"]
_BAG: Final = _START["bag"]
_DISCARDED: Final = _START["discarded"]
_BOARD: Final = _START["board"]
_COPIES: Final = float(max(BAG))


@lru_cache(maxsize=1 << 14)
def _row_of(cell: int, laid: int) -> bytes:
    """Return the row of a tile without a follower; cached, because a tile never moves."""
    x, y = position(cell)
    row = zeros(ROW)
    row[0] = 1.0
    row[1] = x / REACH
    row[2] = y / REACH
    row[_LETTER + (laid >> 2)] = 1.0
    row[_ROTATION + laid % 4] = 1.0
    return row.tobytes()


def fill_tensor(state: Position, seat: Any, out: Any) -> None:
    """Write the planes of a position, as a seat sees it, into an array."""
    seats = state.seats
    me = check_seat(seat, seats)
    target = open_array(out, SIZE)
    floats = zeros(_BOARD)
    floats[seats - 2] = 1.0
    floats[4] = float(state.options["tiny_city"] == 2)
    if state.kind:
        floats[_KIND if state.kind == PLACE_TILE else _KIND + 1] = 1.0
    if not state.over:
        floats[_TURN + (state.turn - me) % seats] = 1.0
    for other in range(seats):
        at = (other - me) % seats
        floats[_SCORES + at] = state.scores[other] / 100
        floats[_FOLLOWERS + at] = state.supply[other] / SUPPLY
    if state.tile >= 0:
        floats[_TILE + state.tile] = 1.0
    for number, copies in enumerate(state.bag):
        if copies:
            floats[_BAG + number] = copies / _COPIES
    for number in state.discarded:
        floats[_DISCARDED + number] += 1 / _COPIES
    first = _BOARD * FLOAT_BYTES
    target[:first] = floats.tobytes()
    _fill_board(state, me, target[first:])


def _fill_board(state: Position, me: int, target: memoryview) -> None:
    tiles = state.board.tiles
    rows = b"".join([_row_of(cell, packed & LAID_MASK) for cell, packed in tiles.items()])
    target[: len(rows)] = rows
    target[len(rows) :] = bytes(len(target) - len(rows))
    floats = target.cast("f")
    bases = [packed >> LAID_BITS for packed in tiles.values()]
    laid = [packed & LAID_MASK for packed in tiles.values()]
    for node, (owner, _) in state.pieces.items():
        index = bisect_right(bases, node) - 1
        floats[index * ROW + _OWNER + (owner - me) % state.seats] = 1.0
        segment = ANSWER_CODES[laid[index] >> 2][node - bases[index]] - 1
        floats[index * ROW + _SEGMENT + segment] = 1.0
    floats[list(tiles).index(state.last) * ROW + _LAST] = 1.0
