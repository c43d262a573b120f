"""The building table (rules 1): one row per tile or printed building, in the contract's order.

Every number of a building stands in its row and nowhere else. The comment before each group names
the section of the rules it is taken from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from cartulary.engine.caylus.goods import ANY, MIXED, NOTHING, Bundle, mix

Category = Literal["special", "neutral", "fixed", "wood", "stone", "residence", "prestige"]


@dataclass(frozen=True, slots=True)
class Produce:
    """Mandatory: the worker's seat gets one of `choices`; another owner gets one of `bonus`."""

    choices: tuple[Bundle, ...]
    bonus: tuple[Bundle, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """One way of trading: what is given, what is got, and prestige points."""

    give: Bundle
    get: Bundle = NOTHING
    points: int = 0


@dataclass(frozen=True, slots=True)
class Trade:
    """Optional: one of the deals, once."""

    deals: tuple[Deal, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """Optional: build one building of a category at its full price."""

    category: Literal["wood", "stone"]


@dataclass(frozen=True, slots=True)
class Convert:
    """Optional: turn a building into a residence at the lawyer's price."""


@dataclass(frozen=True, slots=True)
class BuildPrestige:
    """Optional: build one prestige building on an own residence at its full price."""


@dataclass(frozen=True, slots=True)
class Special:
    """A building before the bridge: the module of phase 3 says what it does."""


@dataclass(frozen=True, slots=True)
class Closed:
    """No worker may be placed here."""


Effect = Produce | Trade | Build | Convert | BuildPrestige | Special | Closed

CLOSED: Final = Closed()
SPECIAL: Final = Special()


@dataclass(frozen=True, slots=True)
class Building:
    """One row: `cost` plus `any_cubes` cubes of any kind; points and favours of its builder.

    `income` is what it adds to its owner's deniers in phase 1. `points_second` differs from
    `points` where the second edition does; `second_only` marks what the first edition lacks.
    `twin_of` is the id of an equal tile that is offered before this one.
    """

    id: str
    name: str
    category: Category
    rules: str
    effect: Effect
    cost: Bundle = NOTHING
    any_cubes: int = 0
    points: int = 0
    favours: int = 0
    income: int = 0
    points_second: int | None = None
    second_only: bool = False
    twin_of: str | None = None

    def points_in(self, edition: str) -> int:
        """Return the prestige points for building this in an edition, `first` or `second`."""
        if edition == "second" and self.points_second is not None:
            return self.points_second
        return self.points


def _either(*choices: Bundle, bonus: tuple[Bundle, ...] = ()) -> Produce:
    return Produce(choices, bonus)


def _deals(gives: tuple[Bundle, ...], gets: tuple[Bundle, ...]) -> tuple[Deal, ...]:
    return tuple(Deal(give, get) for give in gives for get in gets)


def _deniers(count: int) -> tuple[Bundle, ...]:
    return (Bundle(deniers=count),)


def _gold(count: int) -> tuple[Bundle, ...]:
    return (Bundle(gold=count),)


def _points(give: Bundle, points: int) -> tuple[Deal, ...]:
    return (Deal(give, NOTHING, points),)


F = Bundle(food=1)
W = Bundle(wood=1)
S = Bundle(stone=1)
C = Bundle(cloth=1)
WF = Bundle(wood=1, food=1)
WC = Bundle(wood=1, cloth=1)
SF = Bundle(stone=1, food=1)
SC = Bundle(stone=1, cloth=1)
SW = Bundle(stone=1, wood=1)

SPECIAL_BUILDINGS: Final[tuple[Building, ...]] = (
    # Rules 1.1: printed before the bridge, never transformable, no owner.
    Building("gate", "Gate", "special", "1.1", SPECIAL),
    Building("trading_post", "Trading Post", "special", "1.1", SPECIAL),
    Building("merchants_guild", "Merchants' Guild", "special", "1.1", SPECIAL),
    Building("joust_field", "Joust Field", "special", "1.1", SPECIAL),
    Building("stables", "Stables", "special", "1.1", SPECIAL),
    Building("inn", "Inn", "special", "1.1", SPECIAL),
)

# fmt: off
ROAD_BUILDINGS: Final[tuple[Building, ...]] = (
    # Rules 1.2: neutral tiles, shuffled on the road spaces 1 to 6.
    Building("neutral_carpenter", "Carpenter", "neutral", "1.2", Build("wood")),
    Building("neutral_farm", "Farm", "neutral", "1.2", _either(F, C)),
    Building("neutral_forest", "Forest", "neutral", "1.2", _either(F, W)),
    Building("neutral_sawmill", "Sawmill", "neutral", "1.2", _either(W)),
    Building("neutral_quarry", "Quarry", "neutral", "1.2", _either(S)),
    Building("neutral_marketplace", "Marketplace", "neutral", "1.2",
             Trade(_deals(ANY, _deniers(4)))),
    # Rules 1.3: printed on the road spaces 7, 8 and 16; never transformable, never built over.
    Building("fixed_peddler", "Peddler", "fixed", "1.3", Trade(_deals(_deniers(2), MIXED))),
    Building("fixed_carpenter", "Carpenter", "fixed", "1.3", Build("wood")),
    Building("gold_mine", "Gold Mine", "fixed", "1.3", _either(Bundle(gold=1))),
    # Rules 1.4: wood tiles, built by a carpenter.
    Building("wood_farm_food", "Wood Farm (food)", "wood", "1.4",
             _either(Bundle(food=2), C), WF, points=2),
    Building("wood_farm_cloth", "Wood Farm (cloth)", "wood", "1.4",
             _either(Bundle(cloth=2), F), WF, points=2),
    Building("wood_sawmill", "Wood Sawmill", "wood", "1.4", _either(Bundle(wood=2)), WF, points=2),
    Building("wood_quarry", "Wood Quarry", "wood", "1.4", _either(Bundle(stone=2)), WF, points=2),
    Building("wood_marketplace", "Wood Marketplace", "wood", "1.4",
             Trade(_deals(ANY, _deniers(6))), W, any_cubes=1, points=4),
    Building("wood_peddler", "Wood Peddler", "wood", "1.4",
             Trade(_deals(_deniers(1), MIXED) + _deals(_deniers(2), mix(2))),
             W, any_cubes=1, points=4),
    Building("mason", "Mason", "wood", "1.4", Build("stone"), WF, points=4),
    Building("lawyer", "Lawyer", "wood", "1.4", Convert(), WC, points=4, points_second=3),
    # Rules 1.5: stone tiles, built by a mason.
    Building("stone_farm", "Stone Farm", "stone", "1.5",
             _either(Bundle(food=2, cloth=1), bonus=(F, C)), SF, points=3),
    Building("park", "Park", "stone", "1.5",
             _either(Bundle(wood=2, food=1), bonus=(W, F)), SF, points=3),
    Building("workshop", "Workshop", "stone", "1.5",
             _either(Bundle(stone=2, cloth=1), bonus=(S, C)), SF, points=3),
    Building("church", "Church", "stone", "1.5",
             Trade(_points(Bundle(deniers=2), 3) + _points(Bundle(deniers=4), 5)),
             SC, points=3, favours=1),
    Building("tailor", "Tailor", "stone", "1.5",
             Trade(_points(Bundle(cloth=2), 4) + _points(Bundle(cloth=3), 6)), SW, points=6),
    Building("bank", "Bank", "stone", "1.5",
             Trade(_deals(_deniers(2), _gold(1)) + _deals(_deniers(5), _gold(2))), SW, points=6),
    Building("alchemist", "Alchemist", "stone", "1.5",
             Trade(_deals(mix(2), _gold(1)) + _deals(mix(4), _gold(2))), SF, points=6),
    Building("architect_1", "Architect", "stone", "1.5", BuildPrestige(), SF, points=6),
    Building("architect_2", "Architect", "stone", "1.5", BuildPrestige(), SF, points=6,
             twin_of="architect_1"),
    Building("jeweller", "Jeweller", "stone", "1.5",
             Trade(_points(Bundle(gold=1), 5) + _points(Bundle(gold=2), 9)), SC, points=6,
             second_only=True),
    # Rules 1.6: the residence, made by a lawyer only; the supply is unlimited.
    Building("residence", "Residence", "residence", "1.6", CLOSED, points=2, income=1),
    # Rules 1.7: prestige tiles, built by an architect on an own residence.
    Building("statue", "Statue", "prestige", "1.7", CLOSED,
             Bundle(stone=2, gold=1), points=7, favours=1),
    Building("granary", "Granary", "prestige", "1.7", CLOSED, Bundle(food=3, gold=1), points=10),
    Building("library", "Library", "prestige", "1.7", CLOSED,
             Bundle(wood=3, gold=1), points=10, income=1),
    Building("weaver", "Weaver", "prestige", "1.7", CLOSED, Bundle(cloth=3, gold=1), points=12),
    Building("theatre", "Theatre", "prestige", "1.7", CLOSED,
             Bundle(wood=3, gold=2), points=14, favours=1),
    Building("university", "University", "prestige", "1.7", CLOSED,
             Bundle(stone=3, gold=2), points=14, favours=1),
    Building("monument", "Monument", "prestige", "1.7", CLOSED,
             Bundle(stone=4, gold=2), points=14, favours=2),
    Building("hotel", "Hotel", "prestige", "1.7", CLOSED,
             Bundle(stone=3, gold=2), points=16, income=2),
    Building("cathedral", "Cathedral", "prestige", "1.7", CLOSED,
             Bundle(stone=5, gold=3), points=25),
)
# fmt: on

EMPTY: Final = 0
"""The number of "no building"; the buildings of the road count from 1."""

TILES: Final[tuple[Building | None, ...]] = (None, *ROAD_BUILDINGS)
TILE_IDS: Final[tuple[str | None, ...]] = (None, *(tile.id for tile in ROAD_BUILDINGS))
TILE_NUMBER: Final = {tile.id: number for number, tile in enumerate(ROAD_BUILDINGS, 1)}

BUILDING_BY_ID: Final = {row.id: row for row in (*SPECIAL_BUILDINGS, *ROAD_BUILDINGS)}

RESIDENCE: Final = TILE_NUMBER["residence"]

FIXED_SPACES: Final = {7: "fixed_peddler", 8: "fixed_carpenter", 16: "gold_mine"}
"""What is printed on the road (rules 1.3)."""


def numbers_of(*categories: Category) -> range:
    """Return the tile numbers of neighbouring categories, in order."""
    numbers = [n for n, tile in enumerate(ROAD_BUILDINGS, 1) if tile.category in categories]
    return range(numbers[0], numbers[-1] + 1)


NEUTRAL_TILES: Final = numbers_of("neutral")
NEUTRAL_IDS: Final = tuple(tile.id for tile in ROAD_BUILDINGS if tile.category == "neutral")
CRAFT_TILES: Final = numbers_of("wood", "stone")
PRESTIGE_TILES: Final = numbers_of("prestige")

LAWYERS: Final = frozenset(
    number for number, tile in enumerate(ROAD_BUILDINGS, 1) if isinstance(tile.effect, Convert)
)
"""Tiles that may not be turned into a residence although they are craft (rules 3, phase 5)."""

INCOME: Final[tuple[int, ...]] = (0, *(tile.income for tile in ROAD_BUILDINGS))
"""Deniers that each tile adds in phase 1, by number."""


def stock_of(edition: str) -> int:
    """Return the mask of the tiles that can be built at the start (bit n: tile n)."""
    return sum(
        1 << number
        for number, tile in enumerate(ROAD_BUILDINGS, 1)
        if tile.category in ("wood", "stone", "prestige")
        and (edition == "second" or not tile.second_only)
    )


POINTS: Final = {
    edition: (0, *(tile.points_in(edition) for tile in ROAD_BUILDINGS))
    for edition in ("first", "second")
}
"""Prestige points for building each tile, by edition and number."""
