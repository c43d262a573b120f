"""What stands on the land: houses, trees, haystacks, sheep, the monastery, pennants.

All of it is drawn upright whatever the rotation of the tile. Where houses and trees stand is
computed once per tile: scattered evenly, clear of walls, roads, edges and the places of followers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cartulary.pictures.carcassonne.geometry import City, Point, distance, inside
from cartulary.pictures.svg import number, path, use

HOUSE_GAP = 8.5
"""From a house to the nearest wall."""


class Ornament(NamedTuple):
    """Something upright at a point of the unrotated tile; `kind` names its drawing below."""

    kind: str
    at: Point


def scatter(seed: int, tries: int) -> list[Point]:
    """Return points in the tile that look random and are always the same for a seed."""
    points = []
    value = seed * 7919 + 17
    for _ in range(tries):
        value = (value * 1103515245 + 12345) % 2147483648
        x = 8 + value % 8400 / 100
        value = (value * 1103515245 + 12345) % 2147483648
        points.append((x, 8 + value % 8400 / 100))
    return points


def houses(city: City, keep_clear: Sequence[Point]) -> list[Ornament]:
    """Return the houses of a city, row by row, with room at the points to keep clear."""
    walls = [point for wall in city.walls for point in wall.flat(16)]
    found = []
    for row in range(8):
        for column in range(8):
            x = 7.5 + column * 13.5 + (row % 2) * 6 + (row * 5 + column * 3) % 4 * 0.7
            y = 9 + row * 12.5 + (row * 3 + column * 7) % 5 * 0.6
            spot = (x, y)
            if not (7 < x < 94 and 8 < y < 95 and inside(spot, city.corners)):
                continue
            if distance(spot, walls) > HOUSE_GAP and distance(spot, keep_clear) > 14.5:
                found.append(Ornament(("house", "slate", "house")[(row + 2 * column) % 3], spot))
    return found


def trees(seed: int, free: Sequence[Sequence[Point]], taken: Sequence[Point]) -> list[Ornament]:
    """Return what grows in the fields `free`, at least 14 units from every point of `taken`."""
    kinds = ("tree", "tree", "bush", "hay", "tree", "sheep")
    found: list[Ornament] = []
    for spot in scatter(seed, 60):
        if len(found) == 5:
            break
        if not any(inside(spot, area) for area in free) or distance(spot, taken) < 14:
            continue
        if distance(spot, [other.at for other in found]) > 15:
            found.append(Ornament(kinds[(seed + len(found)) % len(kinds)], spot))
    return found


def grass(seed: int, free: Sequence[Sequence[Point]], taken: Sequence[Point]) -> list[Ornament]:
    """Return tufts of grass in the fields `free`."""
    found: list[Ornament] = []
    for spot in scatter(seed + 100, 40):
        if len(found) == 9:
            break
        clear = distance(spot, taken) > 10 and distance(spot, [o.at for o in found]) > 14
        if clear and any(inside(spot, area) for area in free):
            found.append(Ornament("grass", spot))
    return found


def draw(ornaments: Sequence[Ornament]) -> str:
    """Draw ornaments at their points, those further north first."""
    standing = sorted(ornaments, key=lambda ornament: (round(ornament.at[1], 2), ornament.at[0]))
    single = [_put(o) for o in standing if o.kind in ("monastery", "pennant", "cross")]
    houses_ = [o for o in standing if o.kind in ("house", "slate")]
    tufts = [o for o in standing if o.kind == "grass"]
    green = [o for o in standing if o.kind in ("tree", "bush", "hay", "sheep")]
    turf = path(_each(tufts, "l2-5 2 5", -2, 2), class_="k-g") if tufts else ""
    return turf + _green(green) + _houses(houses_) + "".join(single)


def _put(ornament: Ornament) -> str:
    return use(ornament.kind, x=round(ornament.at[0], 2), y=round(ornament.at[1], 2))


def _each(ornaments: Sequence[Ornament], form: str, dx: float = 0, dy: float = 0) -> str:
    """Repeat a relative path at every ornament."""
    return "".join(f"M{number(o.at[0] + dx)} {number(o.at[1] + dy)}{form}" for o in ornaments)


def _houses(standing: Sequence[Ornament]) -> str:
    """Draw gabled houses, seen from the south-west: front, long side, two slopes of roof."""
    if not standing:
        return ""
    red = [o for o in standing if o.kind == "house"]
    grey = [o for o in standing if o.kind == "slate"]
    parts = [path(_each(standing, "v6h10v-6l-3-4.5h-4.5z", -5, -0.5), class_="k-hw")]
    for kind, light, dark in ((red, "k-ra", "k-rb"), (grey, "k-sa", "k-sb")):
        if kind:
            parts.append(path(_each(kind, "l3.2-5.5h6l-2.8 5.5z", -1.5, 0.5), class_=light))
            parts.append(path(_each(kind, "l-3.6 5.5h-1.2l3-6z", 1.8, -5.000), class_=dark))
    parts.append(path(_each(standing, "v-2.5h1.8v2.5z", -4.2, 5.5), class_="k-sd"))
    return "".join(parts)


def _green(standing: Sequence[Ornament]) -> str:
    parts = []
    by_kind = {kind: [o for o in standing if o.kind == kind] for kind in ("tree", "bush")}
    if crowns := by_kind["tree"]:
        parts.append(path(_each(crowns, "v5", 0, 2), class_="k-tr"))
        parts.append(
            path(_each(crowns, "a6.5 7.5 0 1 0 13 0a6.5 7.5 0 1 0-13 0", -6.5, -3), class_="k-ta")
        )
        parts.append(path(_each(crowns, "a4 5 0 1 0 8 0a4 5 0 1 0-8 0", -5, -4.5), class_="k-tb"))
    if bushes := by_kind["bush"]:
        parts.append(
            path(
                _each(bushes, "a4.5 4 0 0 1 8-1a4 3.5 0 0 1 3 6h-11a3 3 0 0 1 0-5z", -5, 0),
                class_="k-ta",
            )
        )
        parts.append(
            path(_each(bushes, "a3 2.6 0 1 0 6 0a3 2.6 0 1 0-6 0", -3.5, 0), class_="k-tb")
        )
    if hay := [o for o in standing if o.kind == "hay"]:
        parts.append(path(_each(hay, "q0-8 5-9q5 1 5 9z", -5, 4), class_="k-wh"))
        parts.append(
            path(_each(hay, "q.5-5 2-6.5m2.5 6.5q-.3-5-1-6.5", -2.5, 3.5), class_="k-ln k-th")
        )
    if sheep := [o for o in standing if o.kind == "sheep"]:
        parts.append(path(_each(sheep, "v3m4.5-3v3", -2, 2), class_="k-tr"))
        parts.append(
            path(_each(sheep, "a4.2 3.2 0 1 0 8.4 0a4.2 3.2 0 1 0-8.4 0", -4.2, 0), class_="k-wo")
        )
        parts.append(
            path(_each(sheep, "a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0", 2.5, -1.5), class_="k-sd")
        )
    return "".join(parts)


DEFINITIONS = (
    # A walled abbey: hedge, nave with a long roof, tower with a spire and a cross.
    '<g id="k-monastery">'
    '<ellipse cy="6" rx="29" ry="22" class="k-ta"/><ellipse cy="5" rx="26" ry="19" class="k-pl"/>'
    '<path d="M-20 16v-14h26v14z" class="k-hw"/>'
    '<path d="M-22 3l5-11h20l5 11z" class="k-ra"/><path d="M-22 3l5-11h20l5 11z" class="k-ro"/>'
    '<path d="M-15.5 16v-5a2 2 0 0 1 4 0v5zM-7.5 16v-5a2 2 0 0 1 4 0v5z" class="k-sd"/>'
    '<path d="M4 17v-27h13v27z" class="k-hw"/><path d="M2.5-10l8-16 8 16z" class="k-sa"/>'
    '<path d="M10.5-26l8 16h-6z" class="k-sb"/><path d="M2.5-10l8-16 8 16z" class="k-ro"/>'
    '<path d="M10.5-26v-9M7.5-31.5h6" class="k-ln"/>'
    '<path d="M8 17v-6a2.5 2.5 0 0 1 5 0v6zM9.5 0v-4.5a1 1 0 0 1 2 0v4.5z" class="k-sd"/>'
    "</g>"
    # A gold shield on a pole, with a red chevron.
    '<g id="k-pennant"><path d="M-7-13v27" class="k-ln"/>'
    '<path d="M-7-12h15v9q0 7-7.5 10q-7.5-3-7.5-10z" class="k-pn"/>'
    '<path d="M-7-1.5l7.5-6 7.5 6v4l-7.5-6-7.3 6z" class="k-pc"/></g>'
    # A market cross on its steps.
    '<g id="k-cross"><path d="M-6 7h12v-3h-2.5v-3h-7v3h-2.5z" class="k-st"/>'
    '<path d="M-1.5 1v-7h-4v-3h4v-4h3v4h4v3h-4v7z" class="k-st"/></g>'
)
