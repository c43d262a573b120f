"""The places of the board: the road of 28 spaces and what lies before the bridge (rules 2).

A place is a small number: 1 … 28 are the spaces of the road, the others follow. Sets of places are
bit masks with bit n for place n.
"""

from __future__ import annotations

from typing import Final

ROAD: Final = range(1, 29)
"""The spaces of the road; the provost never leaves them (rules 3, phase 4)."""

NEUTRAL_SPACES: Final = range(1, 7)
"""The six neutral tiles, shuffled (rules 2)."""

BUILDING_SPACES: Final[tuple[int, ...]] = (*range(9, 16), *range(17, 29))
"""The nineteen spaces that are empty at the start, in building order (rules 2)."""

NO_SPACE: Final = 0

START_SPACE: Final = 6
"""Bailiff and provost start on the last neutral space (rules 2)."""

GATE: Final = 29
TRADING_POST: Final = 30
MERCHANTS_GUILD: Final = 31
JOUST_FIELD: Final = 32
STABLES: Final = 33
INN: Final = 34
CASTLE: Final = 35
INN_RIGHT: Final = 36
"""The right circle of the inn: a worker gets there from the left one only (rules 3, phase 3)."""

PLACE_IDS: Final[tuple[str, ...]] = (
    "",
    *(f"road-{space}" for space in ROAD),
    "gate",
    "trading_post",
    "merchants_guild",
    "joust_field",
    "stables",
    "inn",
    "castle",
)
"""Id of each place by number; workers are sent to these."""

PLACE_NUMBER: Final = {name: place for place, name in enumerate(PLACE_IDS) if name}

STABLES_SLOTS: Final = 3
"""Three workers fit into the stables, at most one of each player (rules 1.1, row 5)."""


def bit(place: int) -> int:
    """Return the mask that holds only this place."""
    return 1 << place


def mask_of(places: range | tuple[int, ...]) -> int:
    """Return the mask that holds these places."""
    return sum(1 << place for place in places)


SPECIAL_PLACES: Final[tuple[int, ...]] = (
    GATE,
    TRADING_POST,
    MERCHANTS_GUILD,
    JOUST_FIELD,
    STABLES,
    INN,
)
"""The special buildings in the order in which they are activated (rules 3, phase 3)."""
