"""Every building: effect, price, points (rules 1), with the numbers of the printed tiles.

The expected values are not taken from the engine's table: prices, points and favours stand in
`buildings.csv`, the effects below as the tiles read.
"""

from __future__ import annotations

import csv
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from cartulary.engine.caylus.buildings import ROAD_BUILDINGS, SPECIAL_BUILDINGS
from cartulary.engine.core import Json
from tests.engine.caylus.position import (
    DECLINE,
    Table,
    build,
    convert,
    prestige,
    take,
    trade,
)

ROWS = list(csv.DictReader((Path(__file__).parent / "buildings.csv").open()))
CUBES = ("food", "wood", "stone", "cloth", "gold")
MIXED = CUBES[:4]

IDS = {
    "Gate": ["gate"],
    "Trading Post": ["trading_post"],
    "Merchants' Guild": ["merchants_guild"],
    "Joust Field": ["joust_field"],
    "Stables": ["stables"],
    "Inn": ["inn"],
    "Carpenter (neutral)": ["neutral_carpenter"],
    "Farm (neutral)": ["neutral_farm"],
    "Forest": ["neutral_forest"],
    "Sawmill (neutral)": ["neutral_sawmill"],
    "Quarry (neutral)": ["neutral_quarry"],
    "Marketplace (neutral)": ["neutral_marketplace"],
    "Peddler (fixed)": ["fixed_peddler"],
    "Carpenter (fixed)": ["fixed_carpenter"],
    "Gold Mine": ["gold_mine"],
    "Farm (food)": ["wood_farm_food"],
    "Farm (cloth)": ["wood_farm_cloth"],
    "Sawmill (wood)": ["wood_sawmill"],
    "Quarry (wood)": ["wood_quarry"],
    "Marketplace (wood)": ["wood_marketplace"],
    "Peddler (wood)": ["wood_peddler"],
    "Mason": ["mason"],
    "Lawyer": ["lawyer"],
    "Farm (stone)": ["stone_farm"],
    "Park": ["park"],
    "Workshop": ["workshop"],
    "Church": ["church"],
    "Tailor": ["tailor"],
    "Bank": ["bank"],
    "Alchemist": ["alchemist"],
    "Architect": ["architect_1", "architect_2"],
    "Jeweller": ["jeweller"],
    "Residence": ["residence"],
    "Statue": ["statue"],
    "Granary": ["granary"],
    "Library": ["library"],
    "Weaver": ["weaver"],
    "Theatre": ["theatre"],
    "University (College)": ["university"],
    "Monument": ["monument"],
    "Hotel": ["hotel"],
    "Cathedral": ["cathedral"],
}
BUILDINGS = {id_: row for row in ROWS for id_ in IDS[row["name"]]}


def price(row: dict[str, str]) -> dict[str, int]:
    costs = {cube: int(row[f"cost_{cube}"]) for cube in CUBES}
    return {cube: count for cube, count in costs.items() if count}


def prices(row: dict[str, str]) -> list[dict[str, int]]:
    """Every bundle that pays for a building: an "any" cube may be of any kind."""
    fixed = price(row)
    if not int(row["cost_any"]):
        return [fixed]
    return [{**fixed, cube: fixed.get(cube, 0) + 1} for cube in CUBES]


def of_category(*categories: str) -> list[str]:
    return [id_ for id_, row in BUILDINGS.items() if row["category"] in categories]


def test_the_engine_has_exactly_the_42_rows() -> None:
    assert len(ROWS) == len(IDS) == 42
    assert {row.id for row in (*SPECIAL_BUILDINGS, *ROAD_BUILDINGS)} == set(BUILDINGS)


def test_the_stock_is_in_the_order_of_the_list_of_ids() -> None:
    first = of_category("wood", "stone", "prestige")
    assert Table(3).view["stock"] == first
    second = of_category("wood", "stone", "stone-optional", "prestige")
    assert Table(3, edition="second").view["stock"] == second


# -- construction --------------------------------------------------------------------------------


@pytest.mark.parametrize("building", of_category("wood", "stone", "stone-optional"))
def test_a_craft_building_costs_and_brings_what_its_tile_says(building: str) -> None:
    row = BUILDINGS[building]
    craftsman = "neutral_carpenter" if row["category"] == "wood" else "mason"
    edition = "second" if building == "jeweller" else "first"
    every = {"food": 2, "wood": 2, "stone": 2, "cloth": 2, "gold": 2}
    table = Table(3, edition=edition).build(1, "road-9", "mason").provost(9).purse(0, **every)
    if building == "mason":
        table = Table(3).purse(0, **every)
    if building == "architect_2":
        table.build(1, "road-10", "architect_1")
    table.put(0, "road-1" if craftsman == "neutral_carpenter" else "road-9").begin("buildings")
    offered = [move["pay"] for move in table.legal if move.get("building") == building]
    assert sorted(map(str, offered)) == sorted(map(str, map(normal, prices(row))))
    space = next(n for n in range(9, 29) if table.space(n)["building"] is None)
    table.play(build(building, **offered[0]))
    assert table.told("paid")[0]["goods"] == offered[0]
    assert table.space(space)["building"] == building
    assert table.space(space)["owner"] == 0
    points = [f["points"] for f in table.told("points") if f["reason"] == "construction"]
    assert points == [int(row["points"])]
    won = [fact["favours"] for fact in table.told("favours_won")]
    assert won == [int(row["favours"])] * bool(int(row["favours"]))


def normal(bundle: dict[str, int]) -> dict[str, int]:
    """A bundle in the order of the goods, so that it compares as text."""
    return {cube: bundle[cube] for cube in CUBES if cube in bundle}


@pytest.mark.parametrize("building", of_category("wood", "stone"))
def test_one_cube_too_few_and_the_building_is_not_offered(building: str) -> None:
    row = BUILDINGS[building]
    for bundle in prices(row):
        for missing in bundle:
            held = {**bundle, missing: bundle[missing] - 1}
            table = Table(3).build(1, "road-9", "mason").provost(9).purse(0, **held)
            if building == "mason":
                table = Table(3).purse(0, **held)
            table.put(0, "road-1" if row["category"] == "wood" else "road-9").begin("buildings")
            legal = table.legal if table.asked == (0, "build") else []
            assert bundle not in [m["pay"] for m in legal if m.get("building") == building]


@pytest.mark.parametrize("building", of_category("prestige"))
def test_a_prestige_building_costs_and_brings_what_its_tile_says(building: str) -> None:
    row = BUILDINGS[building]
    table = Table(3).build(1, "road-9", "architect_1").build(0, "road-10", "residence")
    table.put(0, "road-9").provost(9).purse(0, **price(row)).begin("buildings")
    move = prestige(building, "road-10", **price(row))
    assert move in table.legal
    table.play(move)
    assert table.told("paid")[0]["goods"] == price(row)
    assert table.space(10)["building"] == building
    assert table.space(10)["owner"] == 0
    assert table.scores[0] == int(row["points"])
    won = [fact["favours"] for fact in table.told("favours_won")]
    assert won == [int(row["favours"])] * bool(int(row["favours"]))
    assert building not in table.view["stock"]


@pytest.mark.parametrize("building", of_category("prestige"))
def test_one_cube_too_few_and_the_prestige_building_is_not_offered(building: str) -> None:
    bundle = price(BUILDINGS[building])
    for missing in bundle:
        table = Table(3).build(1, "road-9", "architect_1").build(0, "road-10", "residence")
        table.purse(0, **{**bundle, missing: bundle[missing] - 1})
        table.put(0, "road-9").provost(9).begin("buildings")
        legal = table.legal if table.asked == (0, "build_prestige") else []
        assert building not in [move.get("building") for move in legal]


def test_a_residence_costs_one_cloth_and_one_denier_and_brings_two_points() -> None:
    table = Table(3).build(0, "road-9", "lawyer").put(0, "road-9").provost(9)
    table.purse(0, cloth=1, deniers=1).begin("buildings")
    table.play(convert("road-3", cloth=1, deniers=1))
    assert table.told("paid")[0]["goods"] == {"cloth": 1, "deniers": 1}
    assert table.scores[0] == int(BUILDINGS["residence"]["points"]) == 2


@pytest.mark.parametrize(
    ("building", "income"),
    [("residence", 1), ("library", 1), ("hotel", 2), ("statue", 0), ("cathedral", 0)],
)
def test_income_of_residences_library_and_hotel(building: str, income: int) -> None:
    table = Table(3).build(1, "road-9", building).begin("income")
    assert [table.goods(seat)["deniers"] for seat in range(3)] == [2, 2 + income, 2]


def test_a_library_on_a_residence_replaces_its_income() -> None:
    table = Table(3).build(0, "road-9", "architect_1").build(0, "road-10", "residence")
    table.put(0, "road-9").provost(9).purse(0, wood=3, gold=1).begin("buildings")
    table.play(prestige("library", "road-10", wood=3, gold=1))
    assert table.view["round"] == 2
    assert table.goods(0) == {"deniers": 3}


# -- production ----------------------------------------------------------------------------------

PRODUCTION: dict[str, list[Json]] = {
    "neutral_farm": [{"food": 1}, {"cloth": 1}],
    "neutral_forest": [{"food": 1}, {"wood": 1}],
    "neutral_sawmill": [{"wood": 1}],
    "neutral_quarry": [{"stone": 1}],
    "gold_mine": [{"gold": 1}],
    "wood_farm_food": [{"food": 2}, {"cloth": 1}],
    "wood_farm_cloth": [{"cloth": 2}, {"food": 1}],
    "wood_sawmill": [{"wood": 2}],
    "wood_quarry": [{"stone": 2}],
    "stone_farm": [{"food": 2, "cloth": 1}],
    "park": [{"wood": 2, "food": 1}],
    "workshop": [{"stone": 2, "cloth": 1}],
}
BONUS: dict[str, list[Json]] = {
    "stone_farm": [{"food": 1}, {"cloth": 1}],
    "park": [{"wood": 1}, {"food": 1}],
    "workshop": [{"stone": 1}, {"cloth": 1}],
}


def visited(building: str, user: int = 0, owner: int = 1, **goods: int) -> Table:
    """A worker of `user` on a building: a printed one where it stands, another one of `owner`."""
    table = Table(3, edition="second").purse(user, **goods)
    on_road = {entry["building"]: entry["space"] for entry in table.view["road"]}
    space = on_road.get(building, "road-9")
    if building not in on_road:
        table.build(owner, space, building)
    return table.put(user, space).provost(int(space.removeprefix("road-"))).begin("buildings")


@pytest.mark.parametrize("building", PRODUCTION)
def test_production_gives_what_the_tile_says(building: str) -> None:
    choices = PRODUCTION[building]
    for choice in choices:
        table = visited(building)
        if len(choices) > 1:
            assert table.asked == (0, "produce")
            assert table.legal == [take(**goods) for goods in choices]
            table.play(take(**choice))
        produced = [fact for fact in table.told("gained") if fact["reason"] == "production"]
        assert [(fact["seat"], fact["goods"]) for fact in produced] == [(0, choice)]
        assert produced[0]["building"] == building


@pytest.mark.parametrize("building", PRODUCTION)
def test_the_owner_of_stone_production_takes_one_cube_of_his_choice(building: str) -> None:
    table = visited(building)
    if len(PRODUCTION[building]) > 1:
        table.play(table.legal[0])
    bonus = BONUS.get(building, [])
    assert (table.asked == (1, "owner_bonus")) == bool(bonus)
    for choice in bonus:
        table = visited(building)
        assert table.legal == [take(**goods) for goods in bonus]
        held = table.goods(1)
        table.play(take(**choice))
        gained = [fact for fact in table.told("gained") if fact["reason"] == "owner_bonus"]
        assert [(fact["seat"], fact["goods"]) for fact in gained] == [(1, choice)]
        assert held == {}


@pytest.mark.parametrize("building", BONUS)
def test_the_owner_himself_gets_no_bonus(building: str) -> None:
    table = visited(building, user=1, owner=1)
    assert table.asked[1] != "owner_bonus"


# -- trades --------------------------------------------------------------------------------------


def pairs(count: int) -> list[Json]:
    """Every bundle of `count` cubes that are not gold."""
    return [
        {cube: chosen.count(cube) for cube in MIXED if cube in chosen}
        for chosen in combinations_with_replacement(MIXED, count)
    ]


TRADES: dict[str, list[tuple[Json, Json]]] = {
    "neutral_marketplace": [({cube: 1}, {"deniers": 4}) for cube in CUBES],
    "wood_marketplace": [({cube: 1}, {"deniers": 6}) for cube in CUBES],
    "fixed_peddler": [({"deniers": 2}, {cube: 1}) for cube in MIXED],
    "wood_peddler": [
        *(({"deniers": 1}, {cube: 1}) for cube in MIXED),
        *(({"deniers": 2}, pair) for pair in pairs(2)),
    ],
    "church": [({"deniers": 2}, {"prestige": 3}), ({"deniers": 4}, {"prestige": 5})],
    "tailor": [({"cloth": 2}, {"prestige": 4}), ({"cloth": 3}, {"prestige": 6})],
    "bank": [({"deniers": 2}, {"gold": 1}), ({"deniers": 5}, {"gold": 2})],
    "alchemist": [
        *((pair, {"gold": 1}) for pair in pairs(2)),
        *((four, {"gold": 2}) for four in pairs(4)),
    ],
    "jeweller": [({"gold": 1}, {"prestige": 5}), ({"gold": 2}, {"prestige": 9})],
}
PLENTY = {"food": 4, "wood": 4, "stone": 4, "cloth": 4, "gold": 4, "deniers": 5}


def text(moves: list[Json]) -> list[str]:
    return sorted(str({k: sorted(v.items()) for k, v in m.items() if k != "type"}) for m in moves)


@pytest.mark.parametrize("building", TRADES)
def test_a_trade_offers_exactly_the_deals_of_the_tile(building: str) -> None:
    table = visited(building, **PLENTY)
    assert table.asked == (0, "trade")
    assert DECLINE in table.legal
    offered = [move for move in table.legal if move != DECLINE]
    assert text(offered) == text([trade(give, get) for give, get in TRADES[building]])


@pytest.mark.parametrize("building", TRADES)
def test_every_deal_changes_hands_once(building: str) -> None:
    for move in visited(building, **PLENTY).legal:
        if move == DECLINE:
            continue
        table = visited(building, **PLENTY)
        table.play(move)
        paid = [fact["goods"] for fact in table.told("paid") if fact["reason"] == "trade"]
        assert paid == [move["give"]]
        gained = [fact["goods"] for fact in table.told("gained") if fact["reason"] == "trade"]
        goods = {good: n for good, n in move["get"].items() if good != "prestige"}
        assert gained == ([goods] if goods else [])
        assert table.scores[0] == move["get"].get("prestige", 0)
        assert table.asked != (0, "trade")


@pytest.mark.parametrize("building", TRADES)
def test_only_deals_that_can_be_paid_are_offered(building: str) -> None:
    for give, get in TRADES[building]:
        assert trade(give, get) in visited(building, **give).legal
        for good in give:
            table = visited(building, **{**give, good: give[good] - 1})
            legal = table.legal if table.asked == (0, "trade") else []
            assert trade(give, get) not in legal


def test_four_deniers_never_buy_two_gold() -> None:
    table = visited("bank", deniers=4)
    assert table.legal == [trade({"deniers": 2}, {"gold": 1}), DECLINE]


@pytest.mark.parametrize("building", TRADES)
def test_declining_a_trade_changes_nothing(building: str) -> None:
    table = visited(building, **PLENTY).play(DECLINE)
    assert not [fact for fact in table.told("paid") if fact["reason"] == "trade"]
    assert table.scores[0] == 0
