"""Features: the segments of laid tiles, joined across sides (rules 2).

Every segment of a laid tile is a *node*, numbered in placement order. Joined nodes form a feature,
which is known by its lowest node, the *root*: a union-find over flat lists. Each root has a record,
an int whose parts simply add up when features join, so a move costs what it touches and nothing
ever walks the board:

* bits 0-11: open ends, the ports that no tile faces yet (of a monastery: empty cells round it);
* bits 12-15: pennants;
* from bit 16: followers, four bits per seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.engine.carcassonne.laid import JOINS, LAID, LAID_BITS, LAID_MASK, PORTS
from cartulary.engine.carcassonne.tiles import TILES, Segment, Tile

OPEN_ENDS: Final = 0xFFF
PENNANT: Final = 0x1000
FOLLOWERS: Final = 16
"""`record >> FOLLOWERS` is 0 when no follower stands in the feature."""
FOLLOWER: Final = tuple(1 << FOLLOWERS + 4 * seat for seat in range(5))
"""One follower of each seat."""
MONASTERY_ENDS: Final = 8


def _record(tile: Tile, number: int, segment: Segment) -> int:
    if segment.kind == "monastery":
        return MONASTERY_ENDS
    ends = sum(side.count(number) for side in LAID[4 * TILES.index(tile)].ports)
    return ends + PENNANT * segment.pennant


RECORDS: Final = tuple(
    [_record(tile, number, segment) for number, segment in enumerate(tile.segments)]
    for tile in TILES
)
"""By tile: the records of its segments before any join."""

MARKS: Final = tuple(
    tuple(sum(1 << city for city in s.touches) if s.kind == "field" else 1 for s in tile.segments)
    for tile in TILES
)
"""By tile: the marks of its segments, to be shifted by the node of its first segment."""

CLOSABLE: Final = tuple(
    sum(segment.kind in ("city", "road") for segment in tile.segments) for tile in TILES
)
"""By tile: how many of its segments, the first ones, are cities and roads."""

MONASTERY: Final = {
    tile: number
    for tile, row in enumerate(TILES)
    for number, segment in enumerate(row.segments)
    if segment.kind == "monastery"
}
"""Tile to the number of its monastery, for the tiles that have one."""


class Features:
    """Attributes, each by node: `parent`; `records` and `marks`, which hold at roots only.

    The marks of a city or road are the set of its tiles, one bit per tile (the node of its first
    segment), so a tile counts once however many of its segments belong. The marks of a field are
    the set of city nodes that it touches.
    """

    __slots__ = ("marks", "parent", "records")

    marks: list[int]
    parent: list[int]
    records: list[int]

    def __init__(self, marks: list[int], parent: list[int], records: list[int]) -> None:
        self.marks = marks
        self.parent = parent
        self.records = records

    def copy(self) -> Features:
        """Return an independent copy."""
        return Features(self.marks[:], self.parent[:], self.records[:])

    def root(self, node: int) -> int:
        """Return the lowest node of the feature."""
        parent = self.parent
        while parent[node] != node:
            node = parent[node]
        return node

    def list_free(self, base: int) -> list[int]:
        """Return the segments of the tile placed last whose whole feature holds no follower.

        Rules 2, turn 3. `base` is the node of the first segment of that tile.
        """
        records = self.records
        return [
            node - base
            for node in range(base, len(records))
            if not records[self.root(node)] >> FOLLOWERS
        ]

    def find_completed(self, base: int, tile: int) -> dict[int, str]:
        """Return the roots of the completed cities and roads of a tile, each with its kind.

        `base` is the node of the first segment of the tile.
        """
        completed = {}
        for number in range(CLOSABLE[tile]):
            root = self.root(base + number)
            if not self.records[root] & OPEN_ENDS:
                completed[root] = TILES[tile].segments[number].kind
        return completed

    def lay(self, laid: int, cell: int, occupied: int, tiles: Mapping[int, int]) -> None:
        """Add the segments of a tile and join them to those of its neighbours.

        `laid` is the index in `LAID`, `occupied` the set of sides that meet a tile, `tiles` the
        board's.
        """
        parent, records, marks = self.parent, self.records, self.marks
        base = len(parent)
        tile = laid >> 2
        parent += range(base, base + len(RECORDS[tile]))
        records += RECORDS[tile]
        marks += [mark << base for mark in MARKS[tile]]
        for step, side, ports in JOINS[laid][occupied]:
            packed = tiles[cell + step]
            there = packed >> LAID_BITS
            # Edges that meet are equal in kind, hence in ports: `strict` would only cost time.
            for mine, other in zip(ports, PORTS[packed & LAID_MASK][side]):  # noqa: B905
                one, two = base + mine, there + other
                while parent[one] != one:
                    one = parent[one]
                while parent[two] != two:
                    two = parent[two]
                if one == two:
                    records[one] -= 2
                    continue
                if two < one:
                    one, two = two, one
                parent[two] = one
                records[one] += records[two] - 2
                marks[one] |= marks[two]

    def tiles(self, root: int) -> int:
        """Return the number of distinct tiles of a city or road."""
        return self.marks[root].bit_count()

    def pennants(self, root: int) -> int:
        """Return the number of pennants of a city."""
        return self.records[root] >> 12 & 0xF

    def followers(self, root: int, seats: int) -> list[int]:
        """Return how many followers each seat has in the feature."""
        held = self.records[root] >> FOLLOWERS
        return [held >> 4 * seat & 0xF for seat in range(seats)]

    def completed_cities(self, root: int) -> int:
        """Return how many completed cities a field touches, each once (rules 2, farms)."""
        cities = set()
        marks = self.marks[root]
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            city = self.root(lowest.bit_length() - 1)
            if not self.records[city] & OPEN_ENDS:
                cities.add(city)
        return len(cities)
