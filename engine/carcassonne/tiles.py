"""The 24 tile types (rules 1): the rulebook's table, read at import.

Segments are listed per tile as cities, roads, monastery, fields; the index in that list is the
segment's internal number, its id (`c0`, `r1`, `m0`, `f2`) the one of the move contract.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# Columns: letter | copies | edges N E S W | cities | roads | monastery | fields.
# A road that says no end passes through the tile.
TABLE: Final = """
A | 2 | field field road field  | -               | r0 S monastery | yes | f0 [NL NR EL ER SL SR WL WR]
B | 4 | field field field field | -               | -              | yes | f0 [NL NR EL ER SL SR WL WR]
C | 1 | city city city city     | c0 NESW pennant | -              | -   | -
D | 4 | city road field road    | c0 N            | r0 EW          | -   | f0 [EL WR] c0; f1 [ER SL SR WL]
E | 5 | city field field field  | c0 N            | -              | -   | f0 [EL ER SL SR WL WR] c0
F | 2 | field city field city   | c0 EW pennant   | -              | -   | f0 [NL NR] c0; f1 [SL SR] c0
G | 1 | field city field city   | c0 EW           | -              | -   | f0 [NL NR] c0; f1 [SL SR] c0
H | 3 | field city field city   | c0 E; c1 W      | -              | -   | f0 [NL NR SL SR] c0 c1
I | 2 | city city field field   | c0 N; c1 E      | -              | -   | f0 [SL SR WL WR] c0 c1
J | 3 | city road road field    | c0 N            | r0 ES          | -   | f0 [EL SR WL WR] c0; f1 [ER SL]
K | 3 | city field road road    | c0 N            | r0 SW          | -   | f0 [EL ER SL WR] c0; f1 [SR WL]
L | 3 | city road road road     | c0 N            | r0 E crossroads; r1 S crossroads; r2 W crossroads | - | f0 [EL WR] c0; f1 [ER SL]; f2 [SR WL]
M | 2 | city city field field   | c0 NE pennant   | -              | -   | f0 [SL SR WL WR] c0
N | 3 | city city field field   | c0 NE           | -              | -   | f0 [SL SR WL WR] c0
O | 2 | city road road city     | c0 NW pennant   | r0 ES          | -   | f0 [EL SR] c0; f1 [ER SL]
P | 3 | city road road city     | c0 NW           | r0 ES          | -   | f0 [EL SR] c0; f1 [ER SL]
Q | 1 | city city field city    | c0 NEW pennant  | -              | -   | f0 [SL SR] c0
R | 3 | city city field city    | c0 NEW          | -              | -   | f0 [SL SR] c0
S | 2 | city city road city     | c0 NEW pennant  | r0 S city      | -   | f0 [SL] c0; f1 [SR] c0
T | 1 | city city road city     | c0 NEW          | r0 S city      | -   | f0 [SL] c0; f1 [SR] c0
U | 8 | road field road field   | -               | r0 NS          | -   | f0 [NR EL ER SL]; f1 [NL SR WL WR]
V | 9 | field field road road   | -               | r0 SW          | -   | f0 [NL NR EL ER SL WR]; f1 [SR WL]
W | 4 | field road road road    | -               | r0 E crossroads; r1 S crossroads; r2 W crossroads | - | f0 [NL NR EL WR]; f1 [ER SL]; f2 [SR WL]
X | 1 | road road road road     | -               | r0 N crossroads; r1 E crossroads; r2 S crossroads; r3 W crossroads | - | f0 [NL WR]; f1 [NR EL]; f2 [ER SL]; f3 [SR WL]
"""  # noqa: E501 - a table

START_LETTER: Final = "D"
"""One D lies at (0, 0), rotation 0, when the game begins (rules 2, setup)."""

SIDES: Final = "NESW"
"""The sides in clockwise order; a side's internal number is its index here."""

KINDS: Final = ("city", "road", "monastery", "field")


class Segment(NamedTuple):
    """A part of a tile that can hold a follower.

    `edges` are whole sides (`N`) for cities and roads, half-edges (`NL`) for fields, both in the
    reference orientation; `ends_at` is where a road ends on this tile, empty when it passes
    through; `touches` holds the internal numbers of the cities that a field of this tile touches.
    """

    id: str
    kind: str
    edges: tuple[str, ...]
    pennant: bool = False
    ends_at: str = ""
    touches: tuple[int, ...] = ()


class Tile(NamedTuple):
    """A tile type: `copies` in the set, including the start tile, `edges` by side (N, E, S, W)."""

    letter: str
    copies: int
    edges: tuple[str, ...]
    segments: tuple[Segment, ...]


def _items(cell: str) -> list[str]:
    return [] if cell == "-" else cell.split("; ")


def _city(text: str) -> Segment:
    name, sides, *rest = text.split()
    return Segment(name, "city", tuple(sides), pennant=bool(rest))


def _road(text: str) -> Segment:
    name, sides, *rest = text.split()
    return Segment(name, "road", tuple(sides), ends_at="".join(rest))


def _field(text: str) -> Segment:
    match = re.fullmatch(r"(f\d) \[([A-Z ]+)\] ?([c\d ]*)", text)
    assert match is not None, text
    name, halves, cities = match.groups()
    touches = tuple(int(city[1:]) for city in cities.split())
    return Segment(name, "field", tuple(halves.split()), touches=touches)


def _tile(row: str) -> Tile:
    letter, count, edges, cities, roads, monastery, fields = (c.strip() for c in row.split("|"))
    segments = [_city(item) for item in _items(cities)]
    segments += [_road(item) for item in _items(roads)]
    if monastery == "yes":
        segments.append(Segment("m0", "monastery", ()))
    segments += [_field(item) for item in _items(fields)]
    return Tile(letter, int(count), tuple(edges.split()), tuple(segments))


TILES: Final = tuple(_tile(row) for row in TABLE.strip().splitlines())
LETTERS: Final = tuple(tile.letter for tile in TILES)
NUMBER: Final = {letter: number for number, letter in enumerate(LETTERS)}
"""Letter to internal tile number."""

SEGMENT_NUMBER: Final = tuple(
    {segment.id: number for number, segment in enumerate(tile.segments)} for tile in TILES
)
"""By tile: segment id to internal number."""

START: Final = NUMBER[START_LETTER]
BAG: Final = tuple(tile.copies - (tile.letter == START_LETTER) for tile in TILES)
"""Copies per tile type that are drawn during a game of the full length: 71 in all."""
