"""The cells: which tile lies where, and what the open cells next to them demand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from cartulary.engine.carcassonne.laid import FIT, OCCUPIED, OPENINGS, ROW
from cartulary.engine.carcassonne.tiles import START, TILES, Tile

_ORIGIN: Final = 128 * ROW + 128 * 4

LAID_BITS: Final = 7
LAID_MASK: Final = (1 << LAID_BITS) - 1


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


PLACE_TILE: Final = "place_tile"


@lru_cache(maxsize=1 << 14)
def placement(move: int) -> dict[str, Any]:
    """Return the contract object of a placement (a cell plus a rotation): shared, not to change."""
    x, y = position(move)
    return {"type": PLACE_TILE, "x": x, "y": y, "rotation": move % 4 * 90}


START_PLACEMENT: Final = (cell_at(0, 0), 4 * START)
"""The start tile's cell and index in `LAID`: at (0, 0), rotation 0 (rules 2, setup)."""
