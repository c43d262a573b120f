"""Goods: the five kinds of cubes and deniers (rules 0, notation).

A purse is six counts in this order; a bundle is six counts that change hands. The state keeps the
purses of all seats in one flat list: seat s holds `goods[6 * s : 6 * s + 6]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

FOOD: Final = 0
WOOD: Final = 1
STONE: Final = 2
CLOTH: Final = 3
GOLD: Final = 4
DENIERS: Final = 5
KINDS: Final = 6

CUBE_NAMES: Final[tuple[str, ...]] = ("food", "wood", "stone", "cloth", "gold")
GOOD_NAMES: Final[tuple[str, ...]] = (*CUBE_NAMES, "deniers")
GOOD_NUMBER: Final = {name: number for number, name in enumerate(GOOD_NAMES)}


class Bundle(NamedTuple):
    """How many of each good; never negative."""

    food: int = 0
    wood: int = 0
    stone: int = 0
    cloth: int = 0
    gold: int = 0
    deniers: int = 0

    def to_json(self) -> dict[str, int]:
        """Return the bundle as in the move contract: positive integers only."""
        return {name: count for name, count in zip(GOOD_NAMES, self, strict=True) if count}

    def plus(self, other: Bundle) -> Bundle:
        """Return both bundles together."""
        return Bundle(*(mine + yours for mine, yours in zip(self, other, strict=True)))

    def minus(self, other: Bundle) -> Bundle:
        """Return this bundle without `other`, which it contains."""
        return Bundle(*(mine - yours for mine, yours in zip(self, other, strict=True)))


NOTHING: Final = Bundle()


def bundle_of(counts: Mapping[str, int]) -> Bundle:
    """Return the bundle of a contract object such as `{"wood": 1, "gold": 1}`."""
    return Bundle(**counts)


ANY: Final[tuple[Bundle, ...]] = tuple(bundle_of({name: 1}) for name in CUBE_NAMES)
"""The white cube: any kind, gold included (rules 0)."""

MIXED: Final[tuple[Bundle, ...]] = ANY[:GOLD]
"""The four-coloured cube: food, wood, stone or cloth, never gold (rules 0)."""


def mix(count: int) -> tuple[Bundle, ...]:
    """Return every bundle of `count` four-coloured cubes, the same or different, each once."""
    bundles = []
    for cubes in combinations_with_replacement(MIXED, count):
        total = Bundle()
        for cube in cubes:
            total = total.plus(cube)
        bundles.append(total)
    return tuple(bundles)
