"""Residences: the lawyer where a worker waits, and the lawyer by favour (rules 3, phase 5)."""

from __future__ import annotations

from tests.engine.caylus.position import (
    DECLINE,
    Table,
    batch,
    build,
    convert,
    favour,
    spaces,
    take,
)

JOUST = {"type": "joust"}


def lawyer_by_favour(table: Table, seat: int = 0) -> Table:
    """Bring the seat's marker to the lawyer's column and give it a cloth for the price."""
    return table.scored(1).markers(seat, buildings=4)


# -- pending residences --------------------------------------------------------------------------


def test_a_pending_residence_before_the_provost_is_built_when_its_worker_goes_home() -> None:
    table = lawyer_by_favour(Table(3)).put(0, "joust_field").put(1, "road-2").put(2, "road-3")
    table.purse(0, cloth=2, deniers=1).begin("special_buildings")
    table.play(JOUST, favour("buildings"), convert("road-2", cloth=1))
    assert table.scores[0] == 2
    assert table.space(2) == {
        "space": "road-2",
        "building": "neutral_farm",
        "owner": None,
        "worker": 1,
        "pending_residence": 0,
    }
    assert table.asked == (1, "produce")
    table.play(take(cloth=1))
    assert table.asked == (2, "produce")
    assert table.space(2) == {
        "space": "road-2",
        "building": "residence",
        "owner": 0,
        "worker": None,
    }


def test_a_pending_residence_beyond_the_provost_is_built_at_the_end_of_the_phase() -> None:
    table = Table(3).build(0, "road-9", "lawyer").build(0, "road-10", "park").put(0, "road-9")
    table.put(1, "road-10").put(2, "castle").provost(9)
    table.purse(0, cloth=1, deniers=1).purse(2, food=1, wood=1, stone=1).begin("buildings")
    table.play(convert("road-10", cloth=1, deniers=1))
    assert table.asked == (2, "castle")
    assert table.space(10)["building"] == "residence"
    assert "park" in table.view["stock"]
    homes = [f["space"] for f in table.told("worker_home") if f["space"].startswith("road")]
    assert homes == ["road-9", "road-10"]
    order = [fact["type"] for fact in table.facts]
    assert order.index("residence_pending") < order.index("residence_built")
    assert not [fact for fact in table.told("gained") if fact["reason"] == "production"]


def test_until_it_is_built_the_tile_is_not_in_the_stock() -> None:
    table = lawyer_by_favour(Table(3)).build(0, "road-9", "park").put(1, "road-9").provost(9)
    table.put(0, "joust_field").put(2, "road-8").purse(0, cloth=2, deniers=1)
    table.purse(2, wood=1, food=1).begin("special_buildings")
    table.play(JOUST, favour("buildings"), convert("road-9", cloth=1))
    assert table.asked == (2, "build")
    assert "park" not in table.view["stock"]
    table.play(DECLINE)
    assert table.asked == (0, "owner_bonus")
    assert table.space(9)["pending_residence"] == 0
    table.play(take(wood=1))
    assert "park" in table.view["stock"]


def test_two_pending_residences_at_once() -> None:
    table = lawyer_by_favour(Table(3)).build(0, "road-9", "lawyer").put(0, "road-9")
    table.build(0, "road-10", "bank").put(1, "road-10").put(2, "road-16").put(0, "joust_field")
    table.build(0, "road-11", "tailor").put(2, "road-11").provost(9)
    table.purse(0, cloth=3, deniers=2).begin("special_buildings")
    table.play(JOUST, favour("buildings"), convert("road-10", cloth=1))
    assert table.asked == (0, "bribe")
    table.play(DECLINE)
    assert table.asked == (0, "convert")
    assert "road-10" not in spaces(table.legal)
    table.play(convert("road-11", cloth=1, deniers=1))
    pending = [fact["space"] for fact in table.told("residence_pending")]
    assert pending == ["road-10", "road-11"]
    built = [fact["space"] for fact in table.told("residence_built")]
    assert built == ["road-10", "road-11"]
    assert table.space(10)["building"] == table.space(11)["building"] == "residence"


def test_two_residences_are_shown_as_pending_together() -> None:
    table = lawyer_by_favour(Table(3)).build(0, "road-9", "lawyer").put(0, "road-9")
    table.build(0, "road-10", "bank").put(1, "road-10").purse(1, deniers=2).put(0, "joust_field")
    table.build(0, "road-11", "church").put(2, "road-11").provost(11)
    table.purse(0, cloth=3, deniers=2).begin("special_buildings")
    table.play(JOUST, favour("buildings"), convert("road-10", cloth=1), DECLINE, DECLINE)
    table.play(convert("road-11", cloth=1, deniers=1))
    assert table.asked == (1, "trade")
    shown = {e["space"]: e["pending_residence"] for e in table.view["road"] if len(e) > 4}
    assert shown == {"road-10": 0, "road-11": 0}
    table.play(DECLINE)
    assert table.space(10)["building"] == table.space(11)["building"] == "residence"


def test_the_building_being_activated_counts_as_holding_its_worker() -> None:
    """The carpenter builds the church; its favour converts this very carpenter."""
    table = lawyer_by_favour(Table(3)).build(0, "road-9", "mason").put(0, "road-9").provost(9)
    table.put(1, "castle").purse(1, food=1, wood=1, gold=1)
    table.purse(0, stone=1, cloth=2).begin("buildings")
    table.play(build("church", stone=1, cloth=1), favour("buildings"))
    table.play(convert("road-9", cloth=1))
    told = [fact["type"] for fact in table.facts if "residence" in fact["type"]]
    assert told == ["residence_pending", "residence_built"]
    assert table.asked == (1, "castle")
    assert table.space(9)["building"] == "residence"
    assert "mason" in table.view["stock"]


def test_a_pending_residence_is_no_residence_for_the_architect() -> None:
    table = Table(3).build(0, "road-9", "lawyer").put(0, "road-9").provost(11)
    table.build(0, "road-10", "architect_1").put(0, "road-10").build(0, "road-11", "bank")
    table.put(1, "road-11").purse(0, cloth=1, deniers=1, stone=2, gold=1).begin("buildings")
    table.play(convert("road-11", cloth=1, deniers=1))
    assert table.asked[1] != "build_prestige"
    assert table.space(11)["building"] == "residence"


def test_a_converted_craft_tile_can_be_built_again() -> None:
    table = Table(3).build(0, "road-9", "lawyer").put(0, "road-9").build(0, "road-10", "park")
    table.build(1, "road-11", "mason").put(1, "road-11").provost(11)
    table.purse(0, cloth=1, deniers=1).purse(1, stone=1, food=1).begin("buildings")
    table.play(convert("road-10", cloth=1, deniers=1), build("park", stone=1, food=1))
    assert table.space(12)["building"] == "park"
    assert table.space(12)["owner"] == 1


def test_a_converted_neutral_tile_is_gone_for_ever() -> None:
    table = Table(3).build(0, "road-9", "lawyer").put(0, "road-9").provost(9)
    table.purse(0, cloth=1, deniers=1).begin("buildings")
    table.play(convert("road-1", cloth=1, deniers=1))
    assert "neutral_carpenter" not in table.view["stock"]
    assert "neutral_carpenter" not in [entry["building"] for entry in table.view["road"]]


# -- the lawyer by favour, phase by phase --------------------------------------------------------


def test_the_lawyer_by_favour_in_phase_3() -> None:
    table = lawyer_by_favour(Table(3)).put(0, "joust_field").purse(0, cloth=2, deniers=1)
    table.begin("special_buildings").play(JOUST, favour("buildings"))
    assert table.view["phase"] == "special_buildings"
    assert table.view["joust_field"] == 0
    table.play(convert("road-4", cloth=1))
    assert table.space(4)["building"] == "residence"


def test_the_lawyer_by_favour_in_phase_5() -> None:
    table = lawyer_by_favour(Table(3)).build(0, "road-9", "mason").put(0, "road-9").provost(9)
    table.purse(0, stone=1, cloth=2).begin("buildings")
    table.play(build("church", stone=1, cloth=1), favour("buildings"))
    assert table.view["phase"] == "buildings"
    table.play(convert("road-4", cloth=1))
    assert table.space(4)["building"] == "residence"
    assert table.scores[0] == 3 + 2


def test_the_lawyer_by_favour_in_phase_6() -> None:
    table = lawyer_by_favour(Table(3)).put(0, "castle")
    table.purse(0, food=1, stone=1, wood=1, cloth=1).begin("castle")
    table.play(batch(stone=1, wood=1), favour("buildings"))
    assert table.view["phase"] == "castle"
    assert table.view["castle"] == [0]
    table.play(convert("road-4", cloth=1))
    assert table.space(4)["building"] == "residence"
    assert table.view["castle"] == []


def test_the_lawyer_by_favour_in_phase_7() -> None:
    table = lawyer_by_favour(Table(3)).houses("walls", 2, 1, 1).bailiff(17).provost(17)
    table.purse(0, cloth=1).begin("scoring").play(favour("buildings"))
    assert table.view["phase"] == "scoring"
    assert (table.view["bailiff"], table.view["provost"]) == (18, 18)
    assert not table.view["sections"]["walls"]["scored"]
    table.play(convert("road-4", cloth=1))
    assert table.space(4)["building"] == "residence"
    assert table.view["round"] == 2
    assert table.goods(0) == {"deniers": 3}
