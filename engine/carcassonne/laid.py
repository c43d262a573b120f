"""What follows from the tile table for every tile in every rotation, worked out once at import.

A side of an open cell *demands* a kind of edge; the demands of its four sides, two bits each, are
the cell's code (0 to 255), and `FIT[tile][code]` are the rotations in which the tile goes there.

A *port* is a place where a segment meets a side: one on a city or field edge; three on a road
edge, the road and the fields to its left and right seen from the tile's centre. Tiles that lie
side by side join port to port, where the left of one faces the right of the other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cartulary.engine.carcassonne.tiles import SIDES, TILES, Tile

DEMANDS: Final = {"field": 1, "road": 2, "city": 3}
"""Two bits per side of an open cell; 0 is no neighbour there, no demand."""

# A cell is one int, a multiple of four; a placement is the cell plus the rotation in quarter
# turns, so that lists of placements are lists of ints. Coordinates stay within +-127.
ROW: Final = 1024
STEPS: Final = (-ROW, 4, ROW, -4)
"""From a cell to its neighbour, by side."""
AROUND: Final = frozenset(dy + dx for dy in (-ROW, 0, ROW) for dx in (-4, 0, 4)) - {0}
"""From a cell to the eight cells round it."""
NEAR: Final = AROUND | {0}
"""From a cell to the three by three cells of which it is the centre."""
_SIDES_OF: Final = tuple([[side for side in range(4) if n >> side & 1] for n in range(16)])
"""The sides of each set of sides (a bit per side)."""


LAID_BITS: Final = 7
LAID_MASK: Final = (1 << LAID_BITS) - 1
"""The lowest bits of the int of a tile on the table: its index in `LAID`."""


class Join(NamedTuple):
    """A side that meets a laid tile: the way there, that tile's side, our ports in its order."""

    step: int
    side: int
    ports: tuple[int, ...]


class Opening(NamedTuple):
    """A side that meets no tile: the way to the cell there, and what we demand of it."""

    step: int
    demand: int


class Laid(NamedTuple):
    """A tile in one rotation. Segments are internal numbers of the tile, sides those of the board.

    `openings` and `joins` are listed per set of occupied sides (a bit per side, 0 to 15).
    """

    tile: int
    ports: tuple[tuple[int, ...], ...]
    openings: tuple[tuple[Opening, ...], ...]
    joins: tuple[tuple[Join, ...], ...]


def _segment_at(tile: Tile, edge: str) -> int:
    return next(n for n, segment in enumerate(tile.segments) if edge in segment.edges)


def _ports(tile: Tile, side: int) -> tuple[int, ...]:
    """Return the ports of a side in the reference orientation.

    The middle comes first, then left and right of a road.
    """
    letter, kind = SIDES[side], tile.edges[side]
    middle = _segment_at(tile, letter + "L" if kind == "field" else letter)
    if kind != "road":
        return (middle,)
    return middle, _segment_at(tile, letter + "L"), _segment_at(tile, letter + "R")


def _facing(ports: tuple[int, ...]) -> tuple[int, ...]:
    return ports[:1] + ports[:0:-1]


def _opening(edge: str, side: int) -> Opening:
    return Opening(STEPS[side], DEMANDS[edge] << 2 * opposite(side))


def _join(ports: tuple[int, ...], side: int) -> Join:
    return Join(STEPS[side], opposite(side), _facing(ports))


def opposite(side: int) -> int:
    """Return the side that a neighbour turns to `side`."""
    return (side + 2) % 4


def turn_edges(tile: Tile, rotation: int) -> tuple[str, ...]:
    """Return the tile's edges by side of the board, after `rotation` quarter turns clockwise."""
    return tuple(tile.edges[(side - rotation) % 4] for side in range(4))


def _lay(number: int, rotation: int) -> Laid:
    tile = TILES[number]
    ports = tuple(_ports(tile, (side - rotation) % 4) for side in range(4))
    openings = [_opening(edge, side) for side, edge in enumerate(turn_edges(tile, rotation))]
    joins = [_join(ports[side], side) for side in range(4)]
    return Laid(
        number,
        ports,
        tuple([tuple([openings[side] for side in _SIDES_OF[15 - met]]) for met in range(16)]),
        tuple([tuple([joins[side] for side in _SIDES_OF[met]]) for met in range(16)]),
    )


def _look(tile: Tile, rotation: int) -> set[tuple[object, ...]]:
    """Return what is printed where, without the numbering of the segments."""

    def turn(edge: str) -> str:
        return SIDES[(SIDES.index(edge[0]) + rotation) % 4] + edge[1:]

    return {(s.kind, frozenset(map(turn, s.edges)), s.pennant, s.ends_at) for s in tile.segments}


def _period(tile: Tile) -> int:
    """Return the smallest number of quarter turns after which the tile looks the same (rules 1)."""
    return next(r for r in (1, 2, 4) if _look(tile, r % 4) == _look(tile, 0))


def demand(code: int, side: int) -> int:
    """Return what the code of an open cell demands of one side, 0 for nothing."""
    return code >> 2 * side & 3


def _codes(tile: Tile, rotation: int) -> list[int]:
    """Return the codes of all cells in which a tile goes: a side demands its edge, or nothing."""
    codes = [0]
    for side, edge in enumerate(turn_edges(tile, rotation)):
        codes += [code | DEMANDS[edge] << 2 * side for code in codes]
    return codes


def _fit(tile: Tile, period: int) -> tuple[tuple[int, ...], ...]:
    """Return the legal rotations by code, found from the few codes that each rotation fits."""
    fit: list[tuple[int, ...]] = [()] * 256
    for rotation in range(period):
        for code in _codes(tile, rotation):
            fit[code] = (*fit[code], rotation)
    return tuple(fit)


PERIOD: Final = tuple(_period(tile) for tile in TILES)
"""By tile: only rotations (in quarter turns) below it are legal, the others look the same."""

LAID: Final = tuple(_lay(number, rotation) for number in range(len(TILES)) for rotation in range(4))
"""By `4 * tile + rotation`."""

OPENINGS: Final[tuple[tuple[tuple[Opening, ...], ...], ...]] = tuple(laid.openings for laid in LAID)
JOINS: Final[tuple[tuple[tuple[Join, ...], ...], ...]] = tuple(laid.joins for laid in LAID)
PORTS: Final[tuple[tuple[tuple[int, ...], ...], ...]] = tuple(laid.ports for laid in LAID)
"""The columns of `LAID`, because a move reads each of them, and an attribute takes longer."""

FIT: Final = tuple(map(_fit, TILES, PERIOD))
"""By tile and code of the open cell: the legal rotations in quarter turns."""

OCCUPIED: Final = tuple(
    sum(1 << side for side in range(4) if demand(code, side)) for code in range(256)
)
"""By code: the set of sides that meet a laid tile."""
