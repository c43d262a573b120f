"""Where everything on a tile lies: outlines of cities and roads, areas of fields.

A tile is 100 units wide; x grows east, y grows south. What crosses an edge does so in the same
place on every tile (a road in the middle, a city from `INSET` to `100 - INSET`), which is what
makes all tiles join. Shapes are drawn for one position of their edges and turned to the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from cartulary.pictures.svg import number

Point: TypeAlias = tuple[float, float]

INSET: Final = 7.0
"""How far from the corner of a tile the walls of a city meet the edge."""
BLEED: Final = 0.6
"""How far roads and cities reach beyond the edge, so that no gap shows between tiles."""
SIDES: Final = "NESW"
MIDDLE: Final[Point] = (50.0, 50.0)

_NEAR, _FAR = -BLEED, 100 + BLEED


class Outline(NamedTuple):
    """An open line: a start, then pieces: one point for a straight line, three for a curve."""

    start: Point
    pieces: tuple[tuple[Point, ...], ...]

    @property
    def end(self) -> Point:
        """The last point."""
        return self.pieces[-1][-1]

    def turn(self, quarters: int) -> Outline:
        """Return the outline turned clockwise about the middle of the tile."""
        pieces = tuple(tuple(turn(point, quarters) for point in piece) for piece in self.pieces)
        return Outline(turn(self.start, quarters), pieces)

    def reverse(self) -> Outline:
        """Return the same line from its end to its start."""
        starts = [self.start, *(piece[-1] for piece in self.pieces[:-1])]
        backward = tuple(
            (*piece[:-1][::-1], start)
            for piece, start in zip(self.pieces[::-1], starts[::-1], strict=True)
        )
        return Outline(self.end, backward)

    def d(self) -> str:
        """Return the line as path data."""
        return f"M{pair(self.start)}{self.tail()}"

    def tail(self) -> str:
        """Return the line as path data that goes on from its start."""
        return "".join(
            ("L" if len(piece) == 1 else "C") + " ".join(map(pair, piece)) for piece in self.pieces
        )

    def flat(self, steps: int = 8) -> list[Point]:
        """Return points along the line, `steps` for each curve."""
        points = [self.start]
        for piece in self.pieces:
            if len(piece) == 1:
                points.append(piece[0])
            else:
                start = points[-1]
                points += [bezier((start, *piece), n / steps) for n in range(1, steps + 1)]
        return points


def bezier(points: Sequence[Point], t: float) -> Point:
    """Return the point at `t` (0 to 1) of a cubic curve with four points."""
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    x = sum(weight * point[0] for weight, point in zip(weights, points, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, points, strict=True))
    return (x, y)


def turn(point: Point, quarters: int) -> Point:
    """Turn a point clockwise about the middle of the tile."""
    x, y = point
    for _ in range(quarters % 4):
        x, y = 100 - y, x
    return (x, y)


def pair(point: Point) -> str:
    """Write a point for path data."""
    return f"{number(point[0])} {number(point[1])}"


def polygon(points: Iterable[Point]) -> str:
    """Return a closed path through points."""
    return f"M{'L'.join(pair(point) for point in points)}z"


def inside(point: Point, corners: Sequence[Point]) -> bool:
    """Tell whether a point lies in a polygon (even-odd)."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def distance(point: Point, line: Iterable[Point]) -> float:
    """Return the distance from a point to the nearest of `line`'s points."""
    x, y = point
    return math.sqrt(min(((x - a) ** 2 + (y - b) ** 2 for a, b in line), default=1e6))


class City(NamedTuple):
    """A city segment: the area as path data and as a polygon, and its walls."""

    area: str
    corners: list[Point]
    walls: list[Outline]


def _corner(quarters: int) -> Outline:
    """Return the wall across a corner between two city edges; quarters 0 is the north-east."""
    return Outline((100 - INSET, _NEAR), (((_FAR, INSET),),)).turn(quarters)


_CAP: Final = Outline(
    (INSET, _NEAR),
    (((14, 19), (30, 29), (50, 29)), ((70, 29), (86, 19), (100 - INSET, _NEAR))),
)
_BRIDGE: Final = Outline(
    (_NEAR, INSET), (((20, 14), (32, 29), (50, 29)), ((68, 29), (80, 14), (_FAR, INSET)))
)
_BEND: Final = Outline((INSET, _NEAR), (((28, 40), (60, 72), (_FAR, 100 - INSET)),))
_BAY: Final = Outline(
    (_FAR, 100 - INSET),
    (((82, 88), (74, 68), (50, 68)), ((26, 68), (18, 88), (_NEAR, 100 - INSET))),
)


def city(edges: Sequence[str]) -> City:
    """Return the drawing of a city segment from its edges, such as `["N", "W"]`."""
    at = sorted(SIDES.index(edge) for edge in edges)
    if len(at) == 1:
        return _close([_CAP.turn(at[0])])
    if len(at) == 4:
        return _close([_corner(quarters) for quarters in range(4)])
    if len(at) == 3:
        quarters = ({0, 1, 2, 3} - set(at)).pop() - 2
        return _close([part.turn(quarters) for part in (_BAY, _corner(3), _corner(0))])
    if at[1] - at[0] == 2:
        quarters = 0 if at == [1, 3] else 1
        return _close([part.turn(quarters) for part in (_BRIDGE, _BRIDGE.turn(2))])
    quarters = 3 if at == [0, 3] else at[0]
    return _close([part.turn(quarters) for part in (_BEND, _corner(0).reverse())])


def _close(walls: list[Outline]) -> City:
    area = walls[0].d() + "".join(f"L{pair(w.start)}{w.tail()}" for w in walls[1:]) + "z"
    return City(area, [point for wall in walls for point in wall.flat()], walls)


_STRAIGHT: Final = Outline(
    (50, _NEAR), (((50, 22), (45, 34), (47, 50)), ((49, 66), (50, 80), (50, _FAR)))
)
_SAG: Final = Outline(
    (_NEAR, 50), (((22, 50), (30, 58), (50, 58)), ((70, 58), (78, 50), (_FAR, 50)))
)
_CURVE: Final = Outline((_FAR, 50), (((76, 50), (50, 76), (50, _FAR)),))
_EDGE_POINT: Final[dict[str, Point]] = {
    "N": (50, _NEAR),
    "E": (_FAR, 50),
    "S": (50, _FAR),
    "W": (_NEAR, 50),
}


def crossing(has_city: bool) -> Point:
    """Return where roads meet on a tile; a city to the north pushes it down a little."""
    return (50.0, 58.0) if has_city else MIDDLE


def road(edges: Sequence[str], ends: str | None, has_city: bool) -> Outline:
    """Return the middle line of a road segment; a road that ends here starts at its edge."""
    if len(edges) == 1:
        return _ending(edges[0], ends, has_city)
    at = sorted(SIDES.index(edge) for edge in edges)
    if at[1] - at[0] == 2:
        return _SAG if has_city else _STRAIGHT.turn(at[0])
    return _CURVE.turn(3 if at == [0, 3] else at[0] - 1)


def _ending(edge: str, ends: str | None, has_city: bool) -> Outline:
    start = _EDGE_POINT[edge]
    if ends == "city":
        return Outline(start, (((50.0, 88.0), (50.0, 78.0), (50.0, 67.0)),))
    goal = crossing(has_city)
    inward = ((start[0] * 0.6 + 20), (start[1] * 0.6 + 20))
    soft = (goal[0] * 0.6 + start[0] * 0.4, goal[1])
    if edge in "NS":
        soft = (goal[0], goal[1] * 0.6 + start[1] * 0.4)
    return Outline(start, ((inward, soft, goal),))


#: Where each half-edge begins, clockwise from the north-west corner; its end is the next one's.
HALF_EDGES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
_RIM: Final[tuple[Point, ...]] = (
    (0, 0),
    (50, 0),
    (100, 0),
    (100, 50),
    (100, 100),
    (50, 100),
    (0, 100),
    (0, 50),
)


def field(
    half_edges: Sequence[str], cities: Sequence[str], roads: dict[str, Outline]
) -> list[Point]:
    """Return a polygon of a field; where cities lie on it, they are drawn over it.

    `cities` are the edges that are city, `roads` gives for each edge with a road its middle line.
    """
    mine = {HALF_EDGES.index(name) for name in half_edges}
    if len(mine) == 8:
        return [_RIM[0], _RIM[2], _RIM[4], _RIM[6]]
    points: list[Point] = []
    for first in sorted(half for half in mine if (half - 1) % 8 not in mine):
        half = first
        while half in mine:
            points.append(_RIM[half])
            half = (half + 1) % 8
        points.append(_RIM[half])
        points += _across(half, mine, cities, roads)
    return points


def _across(
    gap: int, mine: set[int], cities: Sequence[str], roads: dict[str, Outline]
) -> list[Point]:
    """Return the way from the end of one run of half-edges to the beginning of the next."""
    halves = []
    half = gap
    while half not in mine:
        halves.append(half)
        half = (half + 1) % 8
    if all(HALF_EDGES[h][0] in cities for h in halves):
        return [_RIM[h] for h in halves]
    way = []
    if gap % 2:
        way += _inward(HALF_EDGES[gap][0], roads)
    else:
        way.append(_RIM[(gap + 1) % 8])
    if half % 2:
        way += _inward(HALF_EDGES[half][0], roads)[::-1]
    else:
        way.append(_RIM[(half - 1) % 8])
    return way


def _inward(edge: str, roads: dict[str, Outline]) -> list[Point]:
    line = roads[edge].flat()
    start = _EDGE_POINT[edge]
    return line if distance(start, line[:1]) < 1 else line[::-1]
