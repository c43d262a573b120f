"""What a seat holds at the beginning of a round, as whole numbers: what a learned leaf weighs.

Everything here lies open on the table. A number means the same with every number of seats, in both
editions and with all options, so that the tables of `learned` differ in their weights alone.
"""

from __future__ import annotations

from typing import Final

from cartulary.bots.caylus.outlook import has_batch
from cartulary.engine.caylus.buildings import INCOME, PRESTIGE_TILES, RESIDENCE, TILE_NUMBER
from cartulary.engine.caylus.goods import CLOTH, DENIERS, GOLD, KINDS
from cartulary.engine.caylus.places import INN_RIGHT, ROAD
from cartulary.engine.caylus.position import NO_SEAT
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.caylus.tables import LINES, SECTIONS

OWNED: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("farm", ("wood_farm_food", "wood_farm_cloth")),
    ("forest", ("wood_sawmill", "wood_quarry")),
    ("market", ("wood_marketplace", "wood_peddler")),
    ("mason", ("mason",)),
    ("lawyer", ("lawyer",)),
    ("estate", ("stone_farm", "park", "workshop")),
    ("for_points", ("church", "tailor", "jeweller")),
    ("for_gold", ("bank", "alchemist")),
    ("architect", ("architect_1", "architect_2")),
)
"""Groups of craft buildings that count together, with the ids of their tiles."""

FEW, MORE = 3, 6
"""Deniers for a worker or two, and for a whole round: the first are worth most."""

HIGH_COLUMN: Final = 3
"""From this column on a line of favours gives what no place on the road gives as cheaply."""

GOODS_NAMES: Final[tuple[str, ...]] = (
    *(
        f"{part}{kind}"
        for kind in ("food", "wood", "stone", "cloth")
        for part in ("a_", "two_", "")
    ),
    *("a_gold", "gold", "few_deniers", "more_deniers", "deniers", "batch"),
)

NAMES: Final[tuple[str, ...]] = (
    "score",
    *GOODS_NAMES,
    *("income", "residence", "prestige"),
    *(name for name, _ in OWNED),
    *(f"{part}line_{line}" for line in LINES for part in ("", "high_")),
    *(f"{part}{section.id}" for section in SECTIONS for part in ("house_", "houses_", "favours_")),
    *("behind", "inn"),
    *("residence_of_architect", "gold_of_architect", "gold_of_jeweller", "cloth_of_tailor"),
)
"""The features in the order of `list_features`."""

SCORE: Final = NAMES.index("score")

GROUPS: Final = len(OWNED)
FIRST_OWNED: Final = NAMES.index(OWNED[0][0])
INCOME_AT: Final = NAMES.index("income")
RESIDENCE_AT: Final = NAMES.index("residence")
PRESTIGE_AT: Final = NAMES.index("prestige")

NO_GROUP: Final = -1


def _find_places() -> tuple[int, ...]:
    """Return, by the number of a tile, the feature that counts it, `NO_GROUP` without one."""
    places = [NO_GROUP] * len(INCOME)
    for number in PRESTIGE_TILES:
        places[number] = PRESTIGE_AT
    places[RESIDENCE] = RESIDENCE_AT
    for group, (_, tiles) in enumerate(OWNED):
        for tile in tiles:
            places[TILE_NUMBER[tile]] = FIRST_OWNED + group
    return tuple(places)


PLACES: Final = _find_places()
ARCHITECTS: Final = (TILE_NUMBER["architect_1"], TILE_NUMBER["architect_2"])
JEWELLER: Final = TILE_NUMBER["jeweller"]
TAILOR: Final = TILE_NUMBER["tailor"]


def list_features(state: CaylusState) -> list[list[int]]:
    """Return the features of each seat, in the order of `NAMES`."""
    found = [_list_of_seat(state, seat) for seat in range(state.seats)]
    _count_road(state, found)
    last = state.seats - 1
    behind = len(NAMES) - 6
    for place, seat in enumerate(state.turn_order):
        found[seat][behind] = last - place
    if state.worker[INN_RIGHT] != NO_SEAT:
        found[state.worker[INN_RIGHT]][behind + 1] = 1
    return found


def _list_of_seat(state: CaylusState, seat: int) -> list[int]:
    """Return the features of a seat; those of the road and of the turn order are 0 as yet."""
    first = KINDS * seat
    purse = state.goods[first : first + KINDS]
    row = [state.scores[seat]]
    for held in purse[:GOLD]:
        row += (min(held, 1), min(held, 2), held)
    deniers = purse[DENIERS]
    row += (min(purse[GOLD], 1), purse[GOLD], min(deniers, FEW), min(deniers, MORE), deniers)
    row.append(int(has_batch(purse)))
    row += [0] * (3 + GROUPS)
    for column in state.markers[len(LINES) * seat : len(LINES) * (seat + 1)]:
        row += (column, max(0, column - HIGH_COLUMN + 1))
    for number, section in enumerate(SECTIONS):
        houses = state.houses[number * state.seats + seat] if number >= state.scored else 0
        row += (min(houses, 1), houses, section.favours_for(houses))
    row += [0] * 6
    return row


def _count_road(state: CaylusState, found: list[list[int]]) -> None:
    """Count what each seat owns on the road, and what the buildings there are good for."""
    architects = jewellers = tailors = 0
    building, owner = state.building, state.owner
    for space in ROAD:
        tile = building[space]
        if tile in ARCHITECTS:
            architects = 1
        elif tile == JEWELLER:
            jewellers = 1
        elif tile == TAILOR:
            tailors = 1
        if owner[space] != NO_SEAT:
            row = found[owner[space]]
            row[INCOME_AT] += INCOME[tile]
            if PLACES[tile] != NO_GROUP:
                row[PLACES[tile]] += 1
    for seat, row in enumerate(found):
        gold = state.goods[KINDS * seat + GOLD]
        row[-4] = architects * row[RESIDENCE_AT]
        row[-3] = architects * gold
        row[-2] = jewellers * gold
        row[-1] = tailors * state.goods[KINDS * seat + CLOTH]
