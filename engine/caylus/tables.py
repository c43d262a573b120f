"""The numbers that are not on a building: the start, the castle, the favours, the end (rules 2, 3).

Each row or constant names the section of the rules it is taken from.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from cartulary.engine.caylus.goods import ANY, NOTHING, WOOD, Bundle, mix

PHASE_NAMES: Final[tuple[str, ...]] = (
    "income",
    "place_workers",
    "special_buildings",
    "bribes",
    "buildings",
    "castle",
    "scoring",
    "over",
)
"""The phases of a round in order (rules 3), and the end; income asks nothing, so none sees it."""

INCOME_PHASE: Final = 0
OVER_PHASE: Final = len(PHASE_NAMES) - 1

# -- the start (rules 3, setup) ------------------------------------------------------------------

WORKERS: Final = 6
START_DENIERS: Final[tuple[int, ...]] = (5, 6, 6, 7, 7)
START_DENIERS_OF_TWO: Final[tuple[int, ...]] = (5, 5)
START_CUBES: Final = Bundle(food=2, wood=1)

# -- income, placing, the provost (rules 3, phases 1 to 4) ---------------------------------------

INCOME_OF_ALL: Final = 2
FIRST_PASS_DENIERS: Final = 1
REDUCED_PRICE: Final = 1
"""Price on an own building, and anywhere from the right circle of the inn."""

PRICE_AFTER_PASSES: Final[tuple[tuple[int, ...], ...]] = (
    *((), ()),
    (1, 3),
    (1, 2, 3),
    (1, 2, 3, 4),
    (1, 2, 3, 4, 5),
)
"""Price elsewhere, by the number of seats and of those that have passed (2 players: rules 3)."""

OWNER_POINTS: Final = 1
"""For the owner of a building on which another seat places a worker."""

TRADING_POST_DENIERS: Final = 3
JOUST_PRICE: Final = Bundle(cloth=1, deniers=1)
PROVOST_STEPS: Final = 3
BRIBE_PER_STEP: Final = 1
LAWYER_PRICE: Final = Bundle(cloth=1, deniers=1)

# -- the castle (rules 2 and 3, phases 6 and 7) --------------------------------------------------


class Section(NamedTuple):
    """A section of the castle.

    `parts` houses fit in, each for `points`; scored when the bailiff reaches `trigger` or it is
    complete. `penalty` is lost by a seat without a house; `favours` are (houses from, favours).
    `columns` of the favour table are open until it has been scored.
    """

    id: str
    parts: int
    points: int
    trigger: int
    penalty: int
    favours: tuple[tuple[int, int], ...]
    columns: int

    def favours_for(self, houses: int) -> int:
        """Return the royal favours that so many houses in this section bring."""
        return max((favours for least, favours in self.favours if houses >= least), default=0)


SECTIONS: Final[tuple[Section, ...]] = (
    Section("dungeon", 6, 5, 12, 2, ((2, 1),), 2),
    Section("walls", 10, 4, 18, 3, ((2, 1), (3, 2), (5, 3)), 4),
    Section("towers", 14, 3, 24, 4, ((2, 1), (4, 2), (6, 3)), 5),
)

NO_BATCH_PENALTY: Final = 2
BAILIFF_STEPS: Final = 1
BAILIFF_STEPS_BEHIND: Final = 2
"""The bailiff's step when the provost is strictly ahead of it (rules 3, phase 7)."""

# -- royal favours (rules 2, favour table) -------------------------------------------------------

LINES: Final[tuple[str, ...]] = ("prestige", "deniers", "cubes", "buildings")
PRESTIGE_LINE: Final = 0
DENIERS_LINE: Final = 1
CUBES_LINE: Final = 2
BUILDINGS_LINE: Final = 3

FAVOUR_POINTS: Final[tuple[int, ...]] = (0, 1, 2, 3, 4, 5)
FAVOUR_DENIERS: Final[tuple[int, ...]] = (0, 3, 4, 5, 6, 7)
"""What the two paying lines give, by column; column 0 is the start circle."""

FAVOUR_CUBES: Final[dict[int, tuple[tuple[Bundle, Bundle], ...]]] = {
    1: ((NOTHING, Bundle(food=1)),),
    2: ((NOTHING, Bundle(wood=1)), (NOTHING, Bundle(stone=1))),
    3: ((NOTHING, Bundle(cloth=1)),),
    4: tuple((give, get) for give in ANY for get in mix(2)),
    5: ((NOTHING, Bundle(gold=1)),),
}
"""The cube line: (give, get) by column."""

BUILD_WOOD_COLUMN: Final = 2
BUILD_STONE_COLUMN: Final = 3
CONVERT_COLUMN: Final = 4
BUILD_PRESTIGE_COLUMN: Final = 5
"""The building line: column 1 gives nothing."""

FAVOUR_DISCOUNT: Final = {"wood": Bundle(wood=1), "stone": Bundle(stone=1)}
FAVOUR_CONVERT_PRICE: Final = Bundle(cloth=1)

SIMPLIFIED_FAVOUR_POINTS: Final = 3

# -- the end (rules 2, end bonuses) --------------------------------------------------------------

POINTS_PER_GOLD: Final = 3
CUBES_PER_POINT: Final = 3
DENIERS_PER_POINT: Final = 4

BATCHES: Final = tuple(
    Bundle(food=1).plus(first).plus(second) for first, second in combinations(ANY[WOOD:], 2)
)
"""A batch: one food and two different cubes of wood, stone, cloth, gold (rules 3, phase 6)."""
