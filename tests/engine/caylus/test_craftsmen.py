"""The buildings that build: carpenters, mason, architects, lawyer (rules 1)."""

from __future__ import annotations

import pytest

from tests.engine.caylus.position import DECLINE, Table, build, prestige
from tests.engine.caylus.test_buildings import of_category, visited

RICH = {"food": 9, "wood": 9, "stone": 9, "cloth": 9, "gold": 9, "deniers": 9}


@pytest.mark.parametrize("carpenter", ["neutral_carpenter", "fixed_carpenter"])
def test_a_carpenter_builds_one_wood_building(carpenter: str) -> None:
    table = visited(carpenter, **RICH)
    assert {move["building"] for move in table.legal if move != DECLINE} == set(of_category("wood"))
    table.play(build("lawyer", wood=1, cloth=1))
    assert table.asked != (0, "build")


def test_the_mason_builds_one_stone_building() -> None:
    table = visited("mason", **RICH)
    stone = {*of_category("stone"), "jeweller"} - {"architect_2"}
    assert {move["building"] for move in table.legal if move != DECLINE} == stone
    table.play(build("park", stone=1, food=1))
    assert table.asked != (0, "build")


@pytest.mark.parametrize("architect", ["architect_1", "architect_2"])
def test_an_architect_builds_one_prestige_building_on_an_own_residence(architect: str) -> None:
    table = Table(3).build(1, "road-9", architect).build(0, "road-10", "residence")
    table.build(1, "road-11", "residence").build(0, "road-12", "residence").put(0, "road-9")
    table.provost(9).purse(0, **RICH).begin("buildings")
    offered = {(m["building"], m["space"]) for m in table.legal if m != DECLINE}
    prestige_tiles = of_category("prestige")
    assert offered == {(b, s) for b in prestige_tiles for s in ("road-10", "road-12")}
    assert len(table.legal) == 2 * len(prestige_tiles) + 1
    table.play(prestige("granary", "road-12", food=3, gold=1))
    assert table.asked != (0, "build_prestige")


def test_without_a_residence_the_architect_asks_nothing() -> None:
    assert visited("architect_1", **RICH).asked[1] != "build_prestige"


def test_the_lawyer_offers_neutral_and_own_craft_buildings_only() -> None:
    table = Table(3).build(0, "road-9", "lawyer").build(0, "road-10", "bank")
    table.build(1, "road-11", "park").build(0, "road-12", "residence")
    table.build(0, "road-13", "statue").build(0, "road-14", "mason").put(0, "road-9")
    table.provost(9).purse(0, cloth=2, deniers=2).begin("buildings")
    targets = {move["space"] for move in table.legal if move != DECLINE}
    assert targets == {*(f"road-{n}" for n in range(1, 7)), "road-10", "road-14"}
