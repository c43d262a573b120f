"""The drawn tiles agree with the tile table, and join whatever lies next to them."""

from __future__ import annotations

import pytest

from cartulary.engine.carcassonne.tiles import LETTERS, NUMBER, SIDES, TILES, Tile
from cartulary.pictures.carcassonne.geometry import INSET, Point, distance, inside, turn
from cartulary.pictures.carcassonne.tiles import PENNANTS, SPOTS, collect_ornaments, plan, spot

ROTATIONS = (0, 90, 180, 270)
#: The middle of each half-edge, a little inside the tile.
HALF_EDGES = {
    f"{side}{half}": turn((x, 2.0), quarters)
    for quarters, side in enumerate(SIDES)
    for half, x in (("L", 25.0), ("R", 75.0))
}


def tile(letter: str) -> Tile:
    return TILES[NUMBER[letter]]


def touched(letter: str, point: Point) -> str:
    """Return the segment that is touched at a point: the one drawn last there."""
    shapes = plan(letter)
    found = [name for name, corners in shapes.fields.items() if inside(point, corners)]
    found += [name for name, city in shapes.cities.items() if inside(point, city.corners)]
    found += [name for name, road in shapes.roads.items() if distance(point, road.flat(40)) <= 11]
    if "m0" in SPOTS[letter] and distance(point, [(50, 50)]) <= 24:
        found.append("m0")
    return found[-1]


@pytest.mark.parametrize("letter", LETTERS)
def test_every_half_edge_shows_the_segment_of_the_table(letter: str) -> None:
    expected: dict[str, str] = {}
    for segment in tile(letter).segments:
        for edge in segment.edges:
            if segment.kind == "city":
                expected |= {f"{edge}L": segment.id, f"{edge}R": segment.id}
            elif segment.kind == "field":
                expected[edge] = segment.id
    assert {name: touched(letter, point) for name, point in HALF_EDGES.items()} == expected


@pytest.mark.parametrize("letter", LETTERS)
def test_roads_leave_in_the_middle_of_their_edges_and_nowhere_else(letter: str) -> None:
    middles = {side: turn((50.0, 0.0), quarters) for quarters, side in enumerate(SIDES)}
    for segment in tile(letter).segments:
        if segment.kind == "road":
            line = plan(letter).roads[segment.id].flat(40)
            met = {side for side, point in middles.items() if distance(point, line) < 1}
            assert met == set(segment.edges)


@pytest.mark.parametrize("letter", LETTERS)
def test_walls_meet_the_edges_where_those_of_the_neighbour_do(letter: str) -> None:
    walls = [wall for city in plan(letter).cities.values() for wall in city.walls]
    ends = {(round(x), round(y)) for wall in walls for x, y in (wall.start, wall.flat()[-1])}
    cities = [s for s in tile(letter).segments if s.kind == "city"]
    quarters = [SIDES.index(edge) for city in cities for edge in city.edges]
    expected = {turn((x, -1.0), q) for q in quarters for x in (INSET, 100 - INSET)}
    assert ends == {(round(x), round(y)) for x, y in expected}


def test_every_segment_has_a_place_for_a_follower_on_it() -> None:
    for letter in LETTERS:
        assert set(SPOTS[letter]) == {segment.id for segment in tile(letter).segments}
        for segment, point in SPOTS[letter].items():
            assert touched(letter, point) == segment, (letter, segment)


def test_followers_on_a_tile_do_not_hide_each_other() -> None:
    for letter, spots in SPOTS.items():
        points = list(spots.values())
        for index, point in enumerate(points):
            others = points[:index] + points[index + 1 :]
            assert distance(point, others) > 18, letter


def test_a_follower_turns_with_the_tile() -> None:
    assert [spot("E", rotation, "c0") for rotation in ROTATIONS] == [
        (50, 12),
        (88, 50),
        (50, 88),
        (12, 50),
    ]


def test_pennants_stand_in_the_cities_of_the_table() -> None:
    with_pennant = {t.letter for t in TILES if any(s.pennant for s in t.segments)}
    assert set(PENNANTS) == with_pennant
    for letter, point in PENNANTS.items():
        assert touched(letter, point) == "c0"
        assert [o.kind for o in collect_ornaments(letter)].count("pennant") == 1


def test_monasteries_and_crossroads_stand_where_the_table_has_them() -> None:
    for entry in TILES:
        kinds = [ornament.kind for ornament in collect_ornaments(entry.letter)]
        monasteries = [s for s in entry.segments if s.kind == "monastery"]
        assert kinds.count("monastery") == len(monasteries)
        assert kinds.count("cross") == any(s.ends_at == "crossroads" for s in entry.segments)


def test_houses_stand_in_cities_and_trees_in_fields() -> None:
    kinds = {"house": "c", "slate": "c", "tree": "f", "bush": "f", "hay": "f", "sheep": "f"}
    for letter in LETTERS:
        for ornament in collect_ornaments(letter):
            if ornament.kind in kinds:
                assert touched(letter, ornament.at)[0] == kinds[ornament.kind], letter
