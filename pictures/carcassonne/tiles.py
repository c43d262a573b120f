"""The 24 tiles, drawn from the engine's tile table.

Ground (land, roads, towns) is one symbol per letter and is turned with the tile; ornaments stand
upright, so there is one group of them per letter and rotation. Everything is made once.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from cartulary.engine.carcassonne.tiles import KINDS, NUMBER, SIDES, TILES, Segment
from cartulary.pictures.carcassonne import ornaments
from cartulary.pictures.carcassonne.geometry import (
    City,
    Outline,
    Point,
    city,
    crossing,
    field,
    inside,
    pair,
    polygon,
    road,
    turn,
)
from cartulary.pictures.svg import circle, path, rect, tag, title, use

#: Where a follower stands (or lies) on each segment of the unrotated tile.
SPOTS: Final[dict[str, dict[str, Point]]] = {
    "A": {"r0": (50, 88), "m0": (50, 52), "f0": (18, 20)},
    "B": {"m0": (50, 52), "f0": (18, 82)},
    "C": {"c0": (50, 60)},
    "D": {"c0": (50, 12), "r0": (50, 58), "f0": (13, 31), "f1": (50, 84)},
    "E": {"c0": (50, 12), "f0": (50, 66)},
    "F": {"c0": (56, 50), "f0": (50, 12), "f1": (50, 88)},
    "G": {"c0": (50, 50), "f0": (50, 12), "f1": (50, 88)},
    "H": {"c0": (88, 50), "c1": (12, 50), "f0": (50, 50)},
    "I": {"c0": (46, 12), "c1": (88, 54), "f0": (34, 66)},
    "J": {"c0": (50, 12), "r0": (64, 64), "f0": (24, 62), "f1": (86, 86)},
    "K": {"c0": (50, 12), "r0": (36, 64), "f0": (76, 62), "f1": (14, 86)},
    "L": {"c0": (50, 12), "r0": (84, 51), "r1": (50, 87), "r2": (16, 51), "f0": (15, 30),
          "f1": (80, 80), "f2": (20, 80)},
    "M": {"c0": (62, 38), "f0": (22, 78)},
    "N": {"c0": (66, 34), "f0": (22, 78)},
    "O": {"c0": (40, 30), "r0": (64, 64), "f0": (85, 30), "f1": (86, 86)},
    "P": {"c0": (32, 32), "r0": (64, 64), "f0": (85, 30), "f1": (86, 86)},
    "Q": {"c0": (50, 42), "f0": (50, 87)},
    "R": {"c0": (50, 38), "f0": (50, 87)},
    "S": {"c0": (50, 40), "r0": (50, 86), "f0": (76, 88), "f1": (24, 88)},
    "T": {"c0": (50, 36), "r0": (50, 86), "f0": (76, 88), "f1": (24, 88)},
    "U": {"r0": (47, 50), "f0": (78, 50), "f1": (19, 50)},
    "V": {"r0": (36, 64), "f0": (66, 32), "f1": (14, 86)},
    "W": {"r0": (83, 50), "r1": (50, 83), "r2": (17, 50), "f0": (50, 20), "f1": (80, 80),
          "f2": (20, 80)},
    "X": {"r0": (50, 16), "r1": (84, 50), "r2": (50, 84), "r3": (16, 50), "f0": (19, 19),
          "f1": (81, 19), "f2": (81, 81), "f3": (19, 81)},
}  # fmt: skip

#: Where the pennant of a tile stands.
PENNANTS: Final[dict[str, Point]] = {
    "C": (50, 24),
    "F": (24, 50),
    "M": (82, 20),
    "O": (16, 20),
    "Q": (24, 22),
    "S": (24, 22),
}


class TileShapes(NamedTuple):
    """The shapes of a tile by segment id, and where its roads meet (None when they do not)."""

    cities: dict[str, City]
    roads: dict[str, Outline]
    fields: dict[str, list[Point]]
    meeting: Point | None
    gates: list[Point]


@cache
def plan(letter: str) -> TileShapes:
    """Return the shapes of a tile in its reference orientation."""
    segments = TILES[NUMBER[letter]].segments
    by_kind = {k: [s for s in segments if s.kind == k] for k in ("city", "road", "field")}
    cities = {s.id: city(s.edges) for s in by_kind["city"]}
    roads = {s.id: road(s.edges, s.ends_at or None, bool(cities)) for s in by_kind["road"]}
    by_edge = {edge: roads[s.id] for s in by_kind["road"] for edge in s.edges}
    walled = "".join(edge for s in by_kind["city"] for edge in s.edges)
    fields = {s.id: field(s.edges, walled, by_edge) for s in by_kind["field"]}
    meets = any(s.ends_at == "crossroads" for s in by_kind["road"])
    gates = [roads[s.id].end for s in by_kind["road"] if s.ends_at == "city"]
    return TileShapes(cities, roads, fields, crossing(bool(cities)) if meets else None, gates)


def _towers(edges: tuple[str, ...]) -> str:
    """Draw half a tower at both ends of each city edge; the neighbour has the other half."""
    d = "".join(
        f"M{pair(turn((x - 5, -0.6), SIDES.index(edge)))}"
        f"A5 5 0 0 0 {pair(turn((x + 5, -0.6), SIDES.index(edge)))}"
        for edge in edges
        for x in (8, 92)
    )
    return path(d, class_="k-to")


def _town(shape: City, segment: Segment) -> str:
    walls = "".join(wall.d() for wall in shape.walls)
    return (
        path(shape.area, class_="k-c")
        + path(walls, class_="k-we")
        + path(walls, class_="k-ww")
        + path(walls, class_="k-wm")
        + _towers(segment.edges)
    )


@cache
def ground(letter: str) -> str:
    """Return what is turned with the tile: land, roads, towns."""
    shapes = plan(letter)
    lines = "".join(line.d() for line in shapes.roads.values())
    parts = [rect(0, 0, 100, 100, class_="k-f")]
    if lines:
        parts += [
            path(lines, class_="k-rv"),
            path(lines, class_="k-rs"),
            path(lines, class_="k-rd"),
        ]
    if shapes.meeting:
        parts.append(circle(*shapes.meeting, 13, class_="k-pl"))
    for segment in TILES[NUMBER[letter]].segments:
        if segment.kind == "city":
            parts.append(_town(shapes.cities[segment.id], segment))
    parts += [_gate(gate) for gate in shapes.gates]
    return "".join(parts)


def _gate(point: Point) -> str:
    x, y = point
    return rect(x - 9, y - 6, 18, 12, rx=2, class_="k-st") + path(
        f"M{pair((x - 4.5, y + 6))}v-6a4.5 4.5 0 0 1 9 0v6z", class_="k-sd"
    )


@cache
def collect_ornaments(letter: str) -> list[ornaments.Ornament]:
    """Return what stands on a tile in its reference orientation."""
    shapes = plan(letter)
    spots = list(SPOTS[letter].values())
    found = []
    if letter in PENNANTS:
        found.append(ornaments.Ornament("pennant", PENNANTS[letter]))
    for shape in shapes.cities.values():
        found += ornaments.houses(shape, [*spots, *(o.at for o in found), *shapes.gates])
    taken = [point for line in shapes.roads.values() for point in line.flat(12)]
    taken += [point for c in shapes.cities.values() for wall in c.walls for point in wall.flat(12)]
    taken += [shapes.meeting] if shapes.meeting else []
    if "m0" in SPOTS[letter]:
        found.append(ornaments.Ornament("monastery", (50, 48)))
        taken += [(50 + 22 * a, 50 + 22 * b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    if shapes.meeting:
        found.append(ornaments.Ornament("cross", shapes.meeting))
    free, seed = list(shapes.fields.values()), NUMBER[letter] + 3
    green = ornaments.trees(seed, free, taken + spots)
    green += ornaments.grass(seed, free, taken + [o.at for o in green])
    found += [o for o in green if not _in_town(o.at, shapes)]
    return found


def _in_town(spot: Point, shapes: TileShapes) -> bool:
    return any(inside(spot, shape.corners) for shape in shapes.cities.values())


@cache
def ground_symbol(letter: str) -> str:
    """Return the definition `ground-X` of a tile's ground."""
    return tag("symbol", ground(letter), id=f"k-ground-{letter}", overflow="visible")


@cache
def tile_symbol(letter: str, rotation: int) -> str:
    """Return the definition `tile-X-90`: the ground turned, and what stands on it upright."""
    quarters = rotation // 90
    upright = [ornaments.Ornament(o.kind, turn(o.at, quarters)) for o in collect_ornaments(letter)]
    turned = f"rotate({rotation} 50 50)" if rotation else None
    return tag(
        "symbol",
        use(f"ground-{letter}", transform=turned),
        ornaments.draw(upright),
        id=f"k-tile-{letter}-{rotation}",
        overflow="visible",
    )


def spot(letter: str, rotation: int, segment: str) -> Point:
    """Return where a follower stands on a segment of the turned tile."""
    return turn(SPOTS[letter][segment], rotation // 90)


@cache
def touchable(letter: str, rotation: int, kinds: tuple[str, ...] = ()) -> str:
    """Return transparent areas over the tile, one per segment, each with `data-segment`.

    Fields lie lowest, then towns, roads, the monastery. With `kinds`, the words for `KINDS`, each
    area has a title.
    """
    shapes = plan(letter)
    areas = [(name, "k-hit", polygon(corners)) for name, corners in shapes.fields.items()]
    areas += [(name, "k-hit", shape.area) for name, shape in shapes.cities.items()]
    areas += [(name, "k-hr", line.d()) for name, line in shapes.roads.items()]
    if "m0" in SPOTS[letter]:
        areas.append(("m0", "k-hit", "M22 50a28 24 0 1 0 56 0a28 24 0 1 0-56 0"))
    words = dict(zip((kind[0] for kind in KINDS), kinds, strict=False))
    made = [
        tag(
            "path",
            title(f"{words[name[0]]} {name}") if words else "",
            d=d,
            class_=css,
            data_segment=name,
        )
        for name, css, d in areas
    ]
    return tag("g", *made, transform=f"rotate({rotation} 50 50)") if rotation else "".join(made)


def definitions(tiles: set[tuple[str, int]]) -> str:
    """Return the symbols for a set of (letter, rotation), in a fixed order."""
    letters = sorted({letter for letter, _ in tiles})
    return "".join(
        [ornaments.DEFINITIONS]
        + [ground_symbol(letter) for letter in letters]
        + [tile_symbol(letter, rotation) for letter, rotation in sorted(tiles)]
    )
