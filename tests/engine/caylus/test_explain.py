"""The error of an illegal move names the rule that it breaks and the legal moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.engine.core import Json
from cartulary.engine.errors import IllegalMove
from tests.engine.caylus.position import (
    DECLINE,
    PASS,
    Table,
    batch,
    build,
    convert,
    favour,
    place,
    prestige,
    provost,
    take,
    trade,
)

RICH = {"food": 5, "wood": 5, "stone": 5, "cloth": 5, "gold": 5, "deniers": 9}


def placing() -> Table:
    table = Table(3).purse(0, deniers=1).purse(1, deniers=1).passed(2).build(0, "road-9", "bank")
    table.build(1, "road-10", "residence").build(1, "road-11", "statue").put(1, "road-2")
    return table.begin("place_workers")


def placing_rich() -> Table:
    table = Table(4).purse(0, deniers=9).put(0, "castle").put(1, "inn").put(0, "stables")
    return table.begin("place_workers")


def full_stables() -> Table:
    table = Table(4).purse(0, deniers=9).put(1, "stables").put(2, "stables").put(3, "stables")
    return table.begin("place_workers")


def two_players() -> Table:
    return Table(2).purse(0, deniers=9).begin("place_workers")


def at_the_gate() -> Table:
    return Table(3).put(0, "gate").put(0, "castle").begin("special_buildings")


def in_the_guild() -> Table:
    return Table(3).put(0, "merchants_guild").provost(2).begin("special_buildings")


def bribing() -> Table:
    return Table(3).purse(0, deniers=1).provost(27).begin("bribes")


def at(building: str, **goods: int) -> Callable[[], Table]:
    def table() -> Table:
        laid = Table(3).build(1, "road-9", building).put(0, "road-9").provost(9)
        return laid.purse(0, **goods).begin("buildings")

    return table


def at_the_carpenter() -> Table:
    table = Table(3).build(1, "road-9", "mason").put(0, "road-1")
    return table.purse(0, wood=2, food=1).begin("buildings")


def at_the_architect() -> Table:
    table = Table(3).build(1, "road-9", "architect_1").build(0, "road-10", "residence")
    table.build(1, "road-11", "residence").build(1, "road-12", "granary").put(0, "road-9")
    return table.provost(9).purse(0, stone=2, gold=1).begin("buildings")


def at_the_lawyer() -> Table:
    table = Table(3).scored(1).markers(0, buildings=4).put(0, "joust_field").put(1, "road-5")
    table.build(0, "road-9", "lawyer").build(1, "road-10", "park").build(0, "road-11", "statue")
    table.build(0, "road-12", "bank").put(2, "road-12").put(0, "road-9").provost(9)
    table.purse(0, cloth=3, deniers=2).begin("special_buildings")
    table.play({"type": "joust"}, favour("buildings"), convert("road-12", cloth=1), DECLINE)
    assert table.asked == (0, "convert")
    return table


def in_the_castle() -> Table:
    return Table(3).put(0, "castle").purse(0, food=1, wood=1, cloth=1).begin("castle")


def two_favours() -> Table:
    table = Table(3).houses("dungeon", 2, 2, 2).houses("walls", 4, 4, 2).bailiff(9).provost(9)
    return table.begin("scoring").play(favour("prestige"), favour("prestige"), favour("prestige"))


def cube_line() -> Table:
    return two_favours().play(favour("cubes"))


def building_line() -> Table:
    table = (
        Table(3)
        .scored(1)
        .markers(0, buildings=1)
        .put(0, "joust_field")
        .build(0, "road-9", "residence")
    )
    table.purse(0, **RICH).begin("special_buildings")
    return table.play({"type": "joust"}, favour("buildings"))


def full_road() -> Table:
    table = Table(3).scored(1).markers(0, buildings=3).fill_road().put(0, "joust_field")
    table.purse(0, **RICH).begin("special_buildings")
    return table.play({"type": "joust"}, favour("buildings"))


CASES: list[tuple[Callable[[], Table], Json, str]] = [
    # The shape of a move.
    (placing, {}, "not the question to answer"),
    (placing, {"type": ["pass"]}, "not the question to answer"),
    (placing, build("bank", wood=1), "not the question to answer"),
    (bribing, PASS, "the game asks seat 0 for 'bribe', which wants move_provost or decline"),
    (placing, {"type": "place_worker"}, "lacks 'space'"),
    (placing, {**place("road-1"), "price": 1}, "has no key"),
    (placing, place("road-29"), "there is no place"),
    (placing, {"type": "place_worker", "space": 3}, "there is no place"),
    (bribing, {"type": "move_provost", "steps": 1.0}, "integer written without a fraction"),
    (bribing, {"type": "move_provost", "steps": True}, "integer written without a fraction"),
    (
        at("bank", deniers=5),
        {"type": "trade", "give": 2, "get": {"gold": 1}},
        "'give' must be an object such as {\"food\": 1}, not 2",
    ),
    (
        at("bank", deniers=5),
        trade({"deniers": 0}, {"gold": 1}),
        "'deniers' of 'give' must be at least 1, not 0",
    ),
    (at("bank", deniers=5), trade({"silver": 1}, {"gold": 1}), "'give' has no key \"silver\""),
    (at_the_carpenter, build("castle", wood=1), "there is no building"),
    # Placing workers.
    (placing, place("road-1"), "cannot pay: it takes 2 deniers and seat 0 has 1"),
    (placing, place("castle"), "cannot pay"),
    (placing, place("road-2"), "place taken: the Farm (road-2) holds a worker of seat 1"),
    (placing, place("road-12"), "no building stands on road-12"),
    (placing, place("road-10"), "no worker may be placed on a residence"),
    (placing, place("road-11"), "no worker may be placed on a prestige building"),
    (placing_rich, place("castle"), "already has a worker in the castle"),
    (placing_rich, place("stables"), "already has a worker in the stables"),
    (placing_rich, place("inn"), "the Inn (left circle) holds a worker of seat 1"),
    (full_stables, place("stables"), "the stables are full"),
    (two_players, place("stables"), "with two players the stables are closed"),
    # The gate and the provost.
    (at_the_gate, {"type": "move_worker", "space": "gate"}, "does not lead to itself"),
    (at_the_gate, {"type": "move_worker", "space": "castle"}, "already has a worker in the castle"),
    (at_the_gate, {"type": "move_worker", "space": "road-9"}, "no building stands on road-9"),
    (in_the_guild, provost(-2), "provost out of range: space 0 is not on the road (1 to 28)"),
    (in_the_guild, provost(4), "at most 3 steps"),
    (in_the_guild, provost(0), "standing still is `decline`"),
    (bribing, provost(-2), "cannot pay: it takes 2 deniers and seat 0 has 1"),
    (bribing, provost(3), "provost out of range: space 30"),
    # Buildings.
    (at("wood_farm_food"), take(cloth=2), "gives 2 food or 1 cloth, not 2 cloth"),
    (at("park"), take(stone=1), "the Park gives 1 wood or 1 food, not 1 stone"),
    (at("bank", deniers=4), trade({"deniers": 5}, {"gold": 2}), "cannot pay: it takes 5 deniers"),
    (at("bank", deniers=4), trade({"deniers": 4}, {"gold": 2}), "the Bank does not trade"),
    (at_the_carpenter, build("bank", wood=1, stone=1), "does not build stone buildings"),
    (at_the_carpenter, build("statue", stone=2, gold=1), "not a wood or stone building"),
    (at_the_carpenter, build("mason", wood=1, food=1), "mason is not in the stock"),
    (at_the_carpenter, build("lawyer", wood=1, cloth=1), "cannot pay: it takes 1 cloth"),
    (at_the_carpenter, build("wood_quarry", wood=2), "the price is 1 food and 1 wood, not 2 wood"),
    (at("mason", **RICH), build("architect_2", stone=1, food=1), "architect_1"),
    (at_the_architect, prestige("statue", "road-11", stone=2, gold=1), "does not hold a residence"),
    (at_the_architect, prestige("statue", "castle", stone=2, gold=1), "does not hold a residence"),
    (at_the_architect, prestige("granary", "road-10", food=3, gold=1), "not in the stock"),
    (at_the_architect, prestige("weaver", "road-10", cloth=3, gold=1), "cannot pay"),
    (at_the_architect, prestige("statue", "road-10", stone=1, gold=1), "the price is"),
    (at_the_architect, prestige("bank", "road-10", stone=1, wood=1), "not a prestige building"),
    (at_the_lawyer, convert("road-9", cloth=1, deniers=1), "a lawyer cannot be converted"),
    (at_the_lawyer, convert("road-8", cloth=1, deniers=1), "fixed buildings cannot be converted"),
    (at_the_lawyer, convert("inn", cloth=1, deniers=1), "special and fixed buildings"),
    (at_the_lawyer, convert("road-10", cloth=1, deniers=1), "belongs to seat 1"),
    (at_the_lawyer, convert("road-11", cloth=1, deniers=1), "prestige buildings cannot be"),
    (at_the_lawyer, convert("road-12", cloth=1, deniers=1), "a residence is already to come"),
    (at_the_lawyer, convert("road-20", cloth=1, deniers=1), "no building stands on road-20"),
    (at_the_lawyer, convert("road-5", cloth=1), "the price is 1 cloth and 1 denier, not 1 cloth"),
    # The castle and the favours.
    (in_the_castle, batch(wood=1, stone=1), "cannot pay: it takes 1 stone and seat 0 has 0"),
    (in_the_castle, batch(wood=2), "a batch is 1 food and 2 different cubes"),
    (two_favours, favour("prestige"), "line already used this phase: seat 0 has used prestige"),
    (two_favours, favour("gold"), "there is no favour line"),
    (cube_line, take(cloth=1), "has reached column 1 only"),
    (cube_line, take(food=2), "gives no such thing"),
    (building_line, convert("road-1", cloth=1), "on column 2, this takes column 4"),
    (building_line, build("park", food=1), "on column 2, this takes column 3"),
    (building_line, prestige("statue", "road-9", stone=2, gold=1), "this takes column 5"),
    (building_line, build("wood_quarry", wood=1, food=1), "the price is 1 food, not"),
    (full_road, build("wood_quarry", food=1), "the road is full"),
]


@pytest.mark.parametrize(("lay", "move", "reason"), CASES, ids=lambda value: None)
def test_an_illegal_move_names_the_rule_it_breaks(
    lay: Callable[[], Table], move: Json, reason: str
) -> None:
    table = lay()
    before = table.state.state_hash()
    with pytest.raises(IllegalMove) as refused:
        table.play(move)
    assert reason in refused.value.reason
    assert refused.value.legal_moves == table.legal
    assert (refused.value.seat, refused.value.kind) == table.asked
    assert table.state.state_hash() == before
