"""Rulings where the rule documents disagree (rules 4, by row) and of the FAQ (rules 5)."""

from __future__ import annotations

import pytest

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.core import Json
from tests.engine.caylus.position import (
    DECLINE,
    NEUTRALS,
    PASS,
    Table,
    batch,
    build,
    convert,
    favour,
    of_type,
    place,
    provost,
    spaces,
    take,
    trade,
)


def at(building: str, *, seat: int = 0, owner: int = 1, **goods: int) -> Table:
    """A worker of `seat` on a building of `owner` on road-9, the phase of buildings begun."""
    table = Table(3).build(owner, "road-9", building).put(seat, "road-9").provost(9)
    return table.purse(seat, **goods).begin("buildings")


# -- rules 4 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "deniers"),
    [(2, [5, 5]), (3, [5, 6, 6]), (4, [5, 6, 6, 7]), (5, [5, 6, 6, 7, 7])],
)
def test_row_01_start_money_by_rank_with_the_income_of_round_one(
    seats: int, deniers: list[int]
) -> None:
    order = list(reversed(range(seats)))
    state = CAYLUS.new(seats, {}, {"turn_order": order, "neutrals": NEUTRALS})
    players = state.view()["players"]
    assert [players[seat]["deniers"] for seat in order] == [money + 2 for money in deniers]
    for player in players:
        assert player["cubes"] == {"food": 2, "wood": 1, "stone": 0, "cloth": 0, "gold": 0}
        assert player["workers"] == 6
        assert player["prestige"] == 0


def test_row_02_the_small_deal_of_the_church_brings_three() -> None:
    assert at("church", deniers=2).play(trade({"deniers": 2}, {"prestige": 3})).scores[0] == 3


def test_row_03_building_the_church_brings_three_and_one_favour() -> None:
    table = at("mason", stone=1, cloth=1).play(build("church", stone=1, cloth=1))
    assert table.scores[0] == 3
    assert [fact["favours"] for fact in table.told("favours_won")] == [1]


def test_row_04_the_small_deal_of_the_tailor_is_two_cloth_for_four() -> None:
    assert at("tailor", cloth=1).asked[1] != "trade"
    assert at("tailor", cloth=2).play(trade({"cloth": 2}, {"prestige": 4})).scores[0] == 4


def test_row_05_the_alchemist_takes_no_gold() -> None:
    assert at("alchemist", gold=4).asked[1] != "trade"
    assert at("alchemist", gold=4, food=1).asked[1] != "trade"
    assert "gold" not in str(
        [m["give"] for m in of_type(at("alchemist", gold=4, food=4).legal, "trade")]
    )


@pytest.mark.parametrize("building", ["bank", "mason", "church", "park", "wood_marketplace"])
def test_row_06_the_lawyer_converts_any_own_wood_or_stone_building(building: str) -> None:
    table = Table(3).build(0, "road-9", "lawyer").build(0, "road-10", building).put(0, "road-9")
    table.purse(0, cloth=1, deniers=1).provost(9).begin("buildings")
    assert "road-10" in spaces(table.legal)
    table.play(convert("road-10", cloth=1, deniers=1))
    assert table.space(10)["building"] == "residence"
    assert building in table.view["stock"]


@pytest.mark.parametrize("building", ["residence", "statue"])
def test_row_07_the_lawyer_converts_no_residence_prestige_or_fixed_building(building: str) -> None:
    table = Table(3).build(0, "road-9", "lawyer").build(0, "road-10", building).put(0, "road-9")
    table.purse(0, cloth=1, deniers=1).provost(9).begin("buildings")
    assert spaces(table.legal) == {f"road-{n}" for n in range(1, 7)}


def test_row_08_the_residence_brings_two_points() -> None:
    table = at("lawyer", owner=0, cloth=1, deniers=1)
    assert table.play(convert("road-1", cloth=1, deniers=1)).scores[0] == 2


def test_row_09_a_building_without_a_worker_is_converted_at_once_though_not_yet_reached() -> None:
    table = Table(3).build(0, "road-9", "lawyer").build(0, "road-10", "park").put(0, "road-9")
    table.put(1, "road-7").purse(0, cloth=1, deniers=1).provost(11).begin("buildings")
    table.play(convert("road-10", cloth=1, deniers=1))
    assert table.space(10)["building"] == "residence"


def test_row_10_the_fourth_column_gives_two_cubes_that_may_differ_for_any_one() -> None:
    table = Table(3).scored(1).markers(0, cubes=3).put(0, "joust_field")
    table.purse(0, cloth=1, deniers=1, gold=1).begin("special_buildings")
    table.play({"type": "joust"}, favour("cubes"))
    deals = of_type(table.legal, "trade")
    assert len(deals) == 10
    assert trade({"gold": 1}, {"wood": 1, "stone": 1}) in deals
    assert trade({"gold": 1}, {"cloth": 2}) in deals
    assert not [deal for deal in deals if "gold" in deal["get"]]
    table.play(trade({"gold": 1}, {"food": 1, "cloth": 1}))
    cubes = table.player(0)["cubes"]
    assert cubes == {"food": 1, "wood": 0, "stone": 0, "cloth": 1, "gold": 0}


def test_row_11_most_batches_count_in_all_sections_together() -> None:
    table = Table(3).houses("dungeon", 0, 0, 5).put(0, "castle").put(1, "castle")
    table.purse(0, food=1, wood=1, stone=1).purse(1, food=2, wood=2, stone=2).begin("castle")
    table.play(batch(wood=1, stone=1), batch(wood=1, stone=1), batch(wood=1, stone=1))
    assert table.view["sections"]["dungeon"]["houses"] == [1, 0, 5]
    assert table.view["sections"]["walls"]["houses"] == [0, 2, 0]
    assert table.asked == (1, "favour")


def test_row_12_every_section_is_scored_once() -> None:
    table = Table(3).points(9, 9, 9).bailiff(12).provost(12).scored(1).begin("scoring")
    assert table.scores == [9, 9, 9]


def test_row_13_no_batch_costs_two_points_whether_unable_or_unwilling() -> None:
    table = Table(3).points(5, 5, 5).put(0, "castle").put(1, "castle")
    table.purse(1, food=1, wood=1, stone=1).begin("castle")
    assert table.asked == (1, "castle")
    assert table.scores == [3, 5, 5]
    table.play(DECLINE)
    assert table.scores == [3, 3, 5]


def full_towers() -> Table:
    return Table(3).scored(2).houses("towers", 5, 5, 4).points(9, 9, 9).bailiff(20).provost(20)


def test_row_14_full_towers_excuse_a_seat_that_owns_a_batch() -> None:
    table = full_towers().put(0, "castle").put(1, "castle").purse(0, food=1, wood=1, gold=1)
    table.begin("castle")
    penalties = [fact for fact in table.told("points") if fact["reason"] == "no_batch"]
    assert [(fact["seat"], fact["points"]) for fact in penalties] == [(1, -2)]


@pytest.mark.parametrize(("steps", "deniers"), [(1, 1), (-2, 2), (3, 3)])
def test_row_16_a_bribe_costs_one_denier_per_space(steps: int, deniers: int) -> None:
    table = Table(3).purse(0, deniers=3).provost(9).begin("bribes").play(provost(steps))
    assert table.told("paid")[0]["goods"] == {"deniers": deniers}


def test_row_17_the_pass_marker_is_no_worker() -> None:
    table = Table(3).purse(0, deniers=3).purse(1, deniers=3).begin("place_workers").play(PASS)
    assert table.player(0)["workers"] == 6


def test_row_18_every_seat_bribes_once() -> None:
    table = Table(3).purse(0, deniers=9).provost(9).begin("bribes").play(provost(1))
    assert table.view["phase"] != "bribes"


def test_row_19_the_provost_may_stand_on_empty_spaces() -> None:
    table = Table(3).purse(0, deniers=9).provost(8).begin("bribes").play(provost(2))
    assert table.told("provost_moved")[0]["to"] == 10


def test_row_20_the_joust_gives_one_favour_once() -> None:
    table = Table(3).put(0, "joust_field").purse(0, cloth=5, deniers=5).begin("special_buildings")
    table.play({"type": "joust"}, favour("prestige"))
    assert table.asked == (0, "bribe")
    assert len(table.told("favours_won")) == 1


def test_row_21_the_gate_leads_to_any_free_place() -> None:
    table = Table(3).build(1, "road-9", "bank").build(1, "road-10", "residence")
    table.put(0, "gate").put(1, "trading_post").put(2, "road-3").begin("special_buildings")
    special = {"merchants_guild", "joust_field", "stables", "inn", "castle"}
    road = {f"road-{n}" for n in (1, 2, 4, 5, 6, 7, 8, 9, 16)}
    assert spaces(table.legal) == special | road


def test_row_22_the_others_keep_their_order_behind_the_stables() -> None:
    table = Table(5, turn_order=[4, 2, 0, 1, 3]).put(0, "stables").begin("special_buildings")
    assert table.view["turn_order"] == [0, 4, 2, 1, 3]


@pytest.mark.parametrize(
    ("space", "price"), [("castle", 2), ("inn", 2), ("road-1", 2), ("road-10", 2), ("road-9", 1)]
)
def test_row_23_everything_but_own_buildings_costs_the_full_price(space: str, price: int) -> None:
    table = Table(3).build(1, "road-9", "park").build(2, "road-10", "bank").passed(0)
    table.purse(1, deniers=5).purse(2, deniers=5).begin("place_workers", turn=1).play(place(space))
    assert table.told("paid") == [
        {**table.told("paid")[0], "seat": 1, "goods": {"deniers": price}, "reason": "placing"}
    ]


def test_row_25_lines_are_free_again_in_the_next_phase() -> None:
    table = Table(3).put(0, "joust_field").build(1, "road-9", "mason").put(0, "road-9").provost(9)
    table.purse(0, cloth=2, deniers=1, stone=1).begin("special_buildings")
    table.play({"type": "joust"}, favour("prestige"), build("church", stone=1, cloth=1))
    assert favour("prestige") in table.legal


def test_row_26_surplus_favours_lapse() -> None:
    table = Table(3).scored(1).houses("walls", 5, 0, 0).houses("towers", 6, 4, 4)
    table.bailiff(17).provost(17).begin("scoring")
    lines = ["prestige", "deniers", "cubes", "buildings"]
    for line in lines:
        assert table.asked == (0, "favour")
        table.play(favour(line))
        if table.asked == (0, "favour_cubes"):
            table.play(take(food=1))
    assert table.asked[0] == 1
    lapsed = [fact["seat"] for fact in table.told("favour_lapsed")]
    assert lapsed == [0, 0]


def test_row_29_nine_stone_tiles_in_the_first_edition_ten_in_the_second() -> None:
    stone = {"stone_farm", "park", "workshop", "church", "tailor", "bank", "alchemist"}
    stone |= {"architect_1", "architect_2"}
    first, second = set(Table(3).view["stock"]), set(Table(3, edition="second").view["stock"])
    assert stone < first
    assert second - first == {"jeweller"}
    assert first < second


@pytest.mark.parametrize(("edition", "points"), [("first", 4), ("second", 3)])
def test_row_29_the_lawyer_brings_four_points_or_three_in_the_second_edition(
    edition: str, points: int
) -> None:
    table = Table(3, edition=edition).put(0, "road-1").purse(0, wood=1, cloth=1)
    assert table.begin("buildings").play(build("lawyer", wood=1, cloth=1)).scores[0] == points


def test_row_30_the_architect_by_favour_pays_the_full_price() -> None:
    table = Table(3).scored(2).markers(0, buildings=4).build(0, "road-9", "residence")
    table.put(0, "joust_field").purse(0, cloth=1, deniers=1, stone=2, gold=1)
    table.begin("special_buildings").play({"type": "joust"}, favour("buildings"))
    prices = [move["pay"] for move in of_type(table.legal, "build_prestige")]
    assert prices == [{"stone": 2, "gold": 1}]


def test_row_32_two_players_pay_three_in_the_castle_too() -> None:
    table = Table(2).passed(0).purse(1, deniers=3).begin("place_workers", turn=1)
    assert table.play(place("castle")).told("paid")[0]["goods"] == {"deniers": 3}


# -- rules 5 -------------------------------------------------------------------------------------


def test_the_provost_does_not_leave_the_road() -> None:
    table = Table(3).purse(0, deniers=9).provost(2).begin("bribes")
    assert [m["steps"] for m in of_type(table.legal, "move_provost")] == [-1, 1, 2, 3]
    table = Table(3).purse(0, deniers=9).provost(28).begin("bribes")
    assert [m["steps"] for m in of_type(table.legal, "move_provost")] == [-3, -2, -1]


def test_the_first_neutral_building_is_always_active() -> None:
    table = Table(3).put(0, "road-1").purse(0, wood=1, food=1).provost(1).begin("buildings")
    assert table.asked == (0, "build")


def test_buildings_skip_what_is_printed_on_the_road() -> None:
    table = Table(3).put(0, "road-1").purse(0, wood=1, food=1)
    for space, building in zip(range(9, 16), ("park", "bank", "church", "tailor"), strict=False):
        table.build(1, f"road-{space}", building)
    for space in range(13, 16):
        table.build(1, f"road-{space}", "residence")
    table.begin("buildings").play(build("wood_sawmill", wood=1, food=1))
    assert table.space(17)["building"] == "wood_sawmill"


def test_a_worker_may_stand_beyond_the_provost_from_the_first_round_on() -> None:
    state = CAYLUS.new(3, {}, {"turn_order": [0, 1, 2], "neutrals": NEUTRALS})
    assert place("road-16") in state.legal_moves()


def test_a_worker_beyond_the_provost_goes_home_without_effect() -> None:
    table = Table(3).put(0, "road-16").provost(15).begin("buildings")
    assert table.goods(0) == {"deniers": 2}
    assert table.player(0)["workers"] == 6
    assert [fact["space"] for fact in table.told("building_idle")] == ["road-16"]


def test_a_denier_is_not_paid_with_gold() -> None:
    table = Table(3).put(0, "joust_field").purse(0, gold=9, cloth=1).begin("special_buildings")
    assert table.told("favours_won") == []


def test_the_cubes_of_a_batch_are_all_different_and_may_be_gold() -> None:
    table = Table(3).put(0, "castle").purse(0, food=3, wood=3, stone=3, cloth=3, gold=3)
    expected = [
        batch(**{first: 1, second: 1})
        for first, second in (
            ("wood", "stone"),
            ("wood", "cloth"),
            ("wood", "gold"),
            ("stone", "cloth"),
            ("stone", "gold"),
            ("cloth", "gold"),
        )
    ]
    assert table.begin("castle").legal == [*expected, DECLINE]


@pytest.mark.parametrize(
    "held", [{"food": 1, "wood": 2}, {"wood": 1, "stone": 1}, {"food": 3, "gold": 5}]
)
def test_what_is_no_batch(held: dict[str, int]) -> None:
    table = Table(3).put(0, "castle").purse(0, **held).begin("castle")
    assert table.asked[1] != "castle"


def test_the_guest_of_the_right_circle_may_stay_or_leave() -> None:
    for answer, workers in (("stay", 5), ("leave", 6)):
        table = Table(3).put(0, "inn-right").begin("special_buildings")
        assert table.asked == (0, "inn")
        assert table.legal == [{"type": "stay"}, {"type": "leave"}]
        table.play({"type": answer})
        assert table.player(0)["workers"] == workers
        assert table.view["inn"] == {"left": None, "right": 0 if answer == "stay" else None}


def test_a_production_building_is_mandatory_even_if_unwelcome() -> None:
    table = Table(3).put(0, "road-2").begin("buildings")
    assert DECLINE not in table.legal


def test_the_points_of_the_own_worker_are_nobodys() -> None:
    table = Table(3).build(0, "road-9", "park").purse(0, deniers=1).begin("place_workers")
    table.play(place("road-9"))
    assert table.scores == [0, 0, 0]


def test_the_point_of_the_owner_stays_though_the_building_is_not_reached() -> None:
    table = Table(3).build(1, "road-9", "park").purse(0, deniers=1).begin("place_workers")
    table.play(place("road-9"), DECLINE)
    assert table.view["round"] == 2
    assert table.scores == [0, 1, 0]


def test_with_two_players_the_first_one_alternates() -> None:
    table = Table(2).begin("scoring")
    assert (table.view["round"], table.view["turn_order"]) == (2, [1, 0])
    assert (table.begin("scoring").view["round"], table.view["turn_order"]) == (3, [0, 1])


def test_with_more_players_the_order_stays() -> None:
    assert Table(3).begin("scoring").view["turn_order"] == [0, 1, 2]


def sections(table: Table) -> Json:
    return {name: section["scored"] for name, section in table.view["sections"].items()}


@pytest.mark.parametrize(
    ("number", "trigger", "penalty"), [(0, 12, 2), (1, 18, 3), (2, 24, 4)], ids=str
)
def test_a_section_is_scored_when_the_bailiff_reaches_its_space(
    number: int, trigger: int, penalty: int
) -> None:
    table = Table(3).scored(number).points(9, 9, 1).bailiff(trigger - 2).provost(1)
    table.begin("scoring")
    assert list(sections(table).values()).count(True) == number
    assert table.begin("scoring").scores == [9 - penalty, 9 - penalty, 0]
    assert list(sections(table).values()).count(True) == number + 1


@pytest.mark.parametrize(
    ("number", "favours"),
    [
        (0, [None, 0, 1, 1, 1, 1, 1]),
        (1, [None, 0, 1, 2, 2, 3, 3, 3]),
        (2, [None, 0, 1, 1, 2, 2, 3, 3]),
    ],
    ids=["dungeon", "walls", "towers"],
)
def test_the_favours_of_a_section_by_houses(number: int, favours: list[int | None]) -> None:
    section, trigger = (("dungeon", 12), ("walls", 18), ("towers", 24))[number]
    for houses, expected in enumerate(favours):
        table = Table(3, favours="simplified").scored(number).bailiff(trigger - 1).points(9, 9, 9)
        table.provost(trigger - 1).houses(section, houses, 1, 1).begin("scoring")
        penalty = (2, 3, 4)[number]
        assert table.scores[0] == (9 - penalty if expected is None else 9 + 3 * expected)
        assert table.scores[1:] == [9, 9]
