"""What the search believes of a position that is some turns ahead, as tables of whole numbers.

`medium` has other beliefs (`chances`): they make its next move good, while these foretell the
result. They are fitted to the final scores of 1250 games of four seats, and they hold for any
number of seats.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Final, NamedTuple

from cartulary.bots.carcassonne.chances import ALL_TILES, UNIT

PARTS: Final = 16
"""Chances are computed for sixteenths of the usual share of tiles."""

ROOTS: Final = 4
"""The square roots, one after the other, that give the root of degree `PARTS`."""


class Weights(NamedTuple):
    """The beliefs of the search: shares in %, points in hundredths."""

    city: int = 83
    """Chance that an open end of a city is filled, if there is time and tiles fit as usual."""

    road: int = 98
    monastery: int = 39
    """The same of an open end of a road, and of an empty cell round a monastery."""

    half_time: int = 3
    """With this many tiles left, these chances are half of what they are in a long game."""

    usual: int = 77
    """The share of the tiles left that fit an open cell of usual difficulty."""

    supply: tuple[int, ...] = (0, 490, 820, 960, 1110, 1260, 1530, 1580)
    """What 0 to 7 followers in the supply are good for, early in the game."""

    city_home: int = 230
    road_home: int = 115
    monastery_home: int = 300
    """What a follower is good for that comes home from there."""

    early: int = 26
    """Below this number of tiles left, followers lose their value in proportion."""

    city_end: int = -15
    road_end: int = -30
    """What each open end of a feature is good for besides."""

    farm: int = 81
    """The share of its cities that a farm is worth: its owner may lose it."""

    open_city: int = 89
    """The share of the chance of an open city that counts for a farm."""

    later_cities: int = 30
    """What cities of later turns bring to a farm, at the start of the game."""

    farm_end: int = 8
    """What each open end of a farm brings besides; `most_farm_ends` of them count."""

    most_farm_ends: int = 8


WEIGHTS: Final = Weights()


class Tables(NamedTuple):
    """What follows from the weights for one number of tiles left, in units.

    `city`, `road`, `monastery`: the chance of an open cell by parts of the usual share of tiles;
    `supply`: by followers; the others as in `Weights`.
    """

    city: tuple[int, ...]
    road: tuple[int, ...]
    monastery: tuple[int, ...]
    supply: tuple[int, ...]
    city_home: int
    road_home: int
    monastery_home: int
    city_end: int
    road_end: int
    later_cities: int
    farm_end: int


@cache
def list_tables(weights: Weights, left: int) -> Tables:
    """Return the tables for `left` tiles in the bag."""
    time = UNIT * left // (left + weights.half_time)
    early = min(left, weights.early)
    share = 100 * weights.early
    city, road, monastery = (
        spread(percent * time // 100) for percent in (weights.city, weights.road, weights.monastery)
    )
    return Tables(
        city,
        road,
        monastery,
        tuple(UNIT * points * early // share for points in weights.supply),
        UNIT * weights.city_home * early // share,
        UNIT * weights.road_home * early // share,
        UNIT * weights.monastery_home * early // share,
        weights.city_end * time // 100,
        weights.road_end * time // 100,
        UNIT * weights.later_cities * left // (100 * ALL_TILES),
        UNIT * weights.farm_end * left // (100 * ALL_TILES),
    )


def spread(usual: int) -> tuple[int, ...]:
    """Return the chance of a cell by parts of the usual share: each part is a try."""
    missed = UNIT - usual
    for _ in range(ROOTS):
        missed = isqrt(missed * UNIT)
    chances, stays_open = [], UNIT
    for _ in range(3 * PARTS + 1):
        chances.append(UNIT - stays_open)
        stays_open = stays_open * missed // UNIT
    return tuple(chances)
