"""Everything that lies on the table of Carcassonne, without a rule in it: flat and small.

The board has the cells: which tile lies where, and what the open cells next to them demand. The
position has the board and all the rest. `copy` is what a search pays for each node, so lists of
ints stand here where objects could.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from cartulary.engine.carcassonne.features import Features
from cartulary.engine.carcassonne.laid import FIT, LAID_BITS, LAID_MASK, OCCUPIED, OPENINGS, ROW
from cartulary.engine.carcassonne.tiles import START, TILES, Tile
from cartulary.engine.core import State

PLACE_TILE: Final = "place_tile"
PLACE_FOLLOWER: Final = "place_follower"
SKIP: Final = -1
SUPPLY: Final = 7
"""Followers per seat; the eighth is the score marker (rules 2, setup)."""

_ORIGIN: Final = 128 * ROW + 128 * 4


def cell_at(x: int, y: int) -> int:
    """Return the cell at `x` east and `y` south of the start tile, each within -127 … 127."""
    return _ORIGIN + y * ROW + x * 4


def position(cell: int) -> tuple[int, int]:
    """Return `(x, y)` of a cell, or of a placement."""
    y, x = divmod(cell, ROW)
    return x // 4 - 128, y - 128


class Placed(NamedTuple):
    """A tile on the table: position, rotation in degrees, and the node of its first segment."""

    tile: Tile
    x: int
    y: int
    rotation: int
    base: int


class Board:
    """Attributes: `open`, cell to code of every open cell; `tiles`, cell to one int per tile.

    That int holds the number of the tile's first segment in `Features` and, in its lowest seven
    bits, the index in `LAID`. `tiles` is in placement order, `open` in the order of discovery.
    """

    __slots__ = ("open", "tiles")

    open: dict[int, int]
    tiles: dict[int, int]

    def __init__(self, open_cells: dict[int, int], tiles: dict[int, int]) -> None:
        self.open = open_cells
        self.tiles = tiles

    def copy(self) -> Board:
        """Return an independent copy."""
        return Board(self.open.copy(), self.tiles.copy())

    def placements(self, tile: int) -> list[int]:
        """Return every legal placement of a tile: the cell plus the rotation (rules 2, turn 1)."""
        fit = FIT[tile]
        return [
            cell + rotation
            for cell, code in self.open.items()
            if (rotations := fit[code])
            for rotation in rotations
        ]

    def takes(self, tile: int) -> bool:
        """Return whether a tile has a legal placement, without a list of all of these."""
        fit = FIT[tile]
        for code in self.open.values():  # noqa: SIM110 - `any` takes twice as long: a generator
            if fit[code]:
                return True
        return False

    def find(self, tile: int, x: int, y: int, rotation: int) -> int | None:
        """Return the placement of a tile at `(x, y)`, turned so many times; None: it is not legal.

        Takes the same time on every board.
        """
        cell = cell_at(x, y)
        if cell in self.open and rotation in FIT[tile][self.open[cell]]:
            return cell + rotation
        return None

    def lay(self, cell: int, laid: int, base: int) -> int:
        """Lay a tile on an open cell; returns the set of sides on which it meets other tiles."""
        open_cells = self.open
        occupied = OCCUPIED[open_cells.pop(cell)]
        self.tiles[cell] = base << LAID_BITS | laid
        for step, wanted in OPENINGS[laid][occupied]:
            neighbour = cell + step
            open_cells[neighbour] = open_cells.get(neighbour, 0) | wanted
        return occupied

    def read_tile(self, cell: int) -> Placed:
        """Return what lies on an occupied cell."""
        packed = self.tiles[cell]
        number, rotation = divmod(packed & LAID_MASK, 4)
        return Placed(TILES[number], *position(cell), rotation * 90, packed >> LAID_BITS)

    def find_tile(self, node: int) -> Placed:
        """Return the tile that a node of `Features` is a segment of."""
        tiles = self.tiles
        return self.read_tile([cell for cell in tiles if tiles[cell] >> LAID_BITS <= node][-1])


@lru_cache(maxsize=1 << 14)
def look(cell: int, laid: int, segment: int = -1, seat: int = -1) -> str:
    """Return a tile on the table as a view shows it, as canonical JSON.

    With a follower of `seat` on a segment, if one is given. Cached, because a follower stands
    for many moves and every view shows it.
    """
    number, rotation = divmod(laid, 4)
    tile = TILES[number]
    x, y = position(cell)
    follower = "null"
    if segment >= 0:
        follower = f'{{"seat":{seat},"segment":"{tile.segments[segment].id}"}}'
    return (
        f'{{"follower":{follower},"rotation":{rotation * 90},'
        f'"tile":"{tile.letter}","x":{x},"y":{y}}}'
    )


@lru_cache(maxsize=1 << 14)
def placement(move: int) -> dict[str, Any]:
    """Return the contract object of a placement (a cell plus a rotation): shared, not to change."""
    x, y = position(move)
    return {"type": PLACE_TILE, "x": x, "y": y, "rotation": move % 4 * 90}


START_PLACEMENT: Final = (cell_at(0, 0), 4 * START)
"""The start tile's cell and index in `LAID`: at (0, 0), rotation 0 (rules 2, setup)."""


class Position(State[int]):
    """The table.

    `turn`, the seat whose turn it is; `kind`, the question that the seat is to answer or "";
    `tile`, the number of the tile in hand or -1; `last`, the cell of the tile placed last; `bag`,
    copies left by tile number, and `left`, their sum; `discarded`, tiles set aside; `board`,
    `features`; `supply`, followers in front of each seat; `pieces`, node to seat and kind of
    segment of every follower on the table; `monasteries`, cell to node; `legal`, the list that
    `moves` returns, never changed in place, None until a caller asks for it; `looks`, the tiles as
    texts and the nodes with a follower, both as the last view has shown them: a tile never moves,
    and a node has a follower of one seat only.
    """

    __slots__ = (
        "bag",
        "board",
        "discarded",
        "features",
        "kind",
        "last",
        "left",
        "legal",
        "looks",
        "monasteries",
        "pieces",
        "supply",
        "tile",
        "turn",
    )

    bag: list[int]
    board: Board
    discarded: list[int]
    features: Features
    kind: str
    last: int
    left: int
    legal: list[int] | None
    looks: tuple[tuple[str, ...], frozenset[int]]
    monasteries: dict[int, int]
    pieces: dict[int, tuple[int, str]]
    supply: list[int]
    tile: int
    turn: int

    def set_up(self, seats: int, options: Mapping[str, str | int], bag: list[int]) -> None:
        """Lay an empty table; the state lays the start tile."""
        self.seats = seats
        self.options = options
        self.scores = [0] * seats
        self.facts = None
        self.turn = 0
        self.kind = ""
        self.tile = -1
        self.legal = []
        self.bag = bag
        self.left = sum(bag)
        self.discarded = []
        self.board = Board({cell_at(0, 0): 0}, {})
        self.features = Features([], [], [])
        self.supply = [SUPPLY] * seats
        self.pieces = {}
        self.monasteries = {}
        self.looks = (), frozenset()

    def copy(self) -> Self:
        """Return an independent copy, without a list of facts."""
        twin = type(self)()
        twin.seats = self.seats
        twin.options = self.options
        twin.scores = self.scores[:]
        twin.facts = None
        twin.turn = self.turn
        twin.kind = self.kind
        twin.tile = self.tile
        twin.last = self.last
        twin.legal = self.legal
        twin.bag = self.bag[:]
        twin.left = self.left
        twin.discarded = self.discarded[:]
        twin.board = self.board.copy()
        twin.features = self.features.copy()
        twin.supply = self.supply[:]
        twin.pieces = self.pieces.copy()
        twin.monasteries = self.monasteries.copy()
        twin.looks = self.looks
        return twin
