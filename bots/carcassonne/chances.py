"""What the bots for Carcassonne believe, as tables of whole numbers.

All worths are whole numbers of `UNIT`s to a point: sums of them are exact, so a worth that is
kept up to date change by change equals a worth that is added up again, and a bot chooses the same
move on every machine and every Python. The numbers are estimates, tuned by playing.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from cartulary.engine.carcassonne.tiles import BAG

UNIT: Final = 1 << 20
"""Units of one point."""

END_CLOSED: Final = {"city": 72, "road": 80, "monastery": 86}
"""Chance in % that one open end of a feature, or one empty cell round a monastery, is filled."""

HALF_TIME: Final = 9
"""With this many tiles left, that chance is half of what it is in a long game."""

AT_HAND: Final = (0, 50, 80, 100, 115, 125, 130, 135)
"""What 0 to 7 followers in the supply are good for, early in the game, in tenths of a point."""

BACK_HOME: Final = 15
"""What a follower is good for that comes home one day, in tenths of a point."""

EARLY: Final = 24
"""Below this number of tiles left, followers in the supply lose their value in proportion."""

FARMER: Final = 8
"""What a search takes a follower on a field to cost at the start: it never comes home."""

MOST_ENDS: Final = 145
"""More open ends than a feature of 72 tiles can have."""

ALL_TILES: Final = sum(BAG)

_FINE: Final = 40
"""Bits behind those of `UNIT` while powers are computed."""


class Chances(NamedTuple):
    """The tables for one number of tiles left, each by the number of open ends (or empty cells).

    `city`, `road`: the chance to be closed, in units; `monastery`: the points that the cells will
    bring; `city_home`, `road_home`, `monastery_home`: what a follower is good for that comes home
    from there; `supply`: by followers in the supply, what they are good for.
    """

    city: tuple[int, ...]
    road: tuple[int, ...]
    monastery: tuple[int, ...]
    city_home: tuple[int, ...]
    road_home: tuple[int, ...]
    monastery_home: tuple[int, ...]
    supply: tuple[int, ...]


@cache
def list_chances(left: int) -> Chances:
    """Return the tables for `left` tiles in the bag."""
    city, road, monastery = (_powers(percent, left) for percent in END_CLOSED.values())
    return Chances(
        city,
        road,
        tuple(UNIT * (9 - empty) + empty * monastery[1] for empty in range(9)),
        _come_home(city, left),
        _come_home(road, left),
        _come_home(monastery, left),
        tuple(_fade(UNIT * tenths, left) for tenths in AT_HAND),
    )


def rate_stay(left: int) -> int:
    """Return in units what a follower costs that never comes home, with `left` tiles in the bag."""
    return FARMER * UNIT * left // ALL_TILES


def _come_home(closes: tuple[int, ...], left: int) -> tuple[int, ...]:
    return tuple(_fade(chance * BACK_HOME, left) for chance in closes)


def _powers(percent: int, left: int) -> tuple[int, ...]:
    """Return the powers of the chance of one open end; without tiles left only the 0th is not 0."""
    chance, powers = UNIT << _FINE, []
    for _ in range(MOST_ENDS):
        powers.append(chance >> _FINE)
        chance = chance * percent * left // (100 * (left + HALF_TIME))
    return tuple(powers)


def _fade(tenths: int, left: int) -> int:
    """Return tenths of a point as points, less and less of them towards the end."""
    return tenths * min(left, EARLY) // (10 * EARLY)
