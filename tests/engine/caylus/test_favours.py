"""Royal favours (rules 2, favour table, and 3, favours)."""

from __future__ import annotations

import pytest

from cartulary.engine.core import Json
from tests.engine.caylus.position import (
    DECLINE,
    Table,
    batch,
    build,
    convert,
    favour,
    of_type,
    prestige,
    take,
    trade,
)

JOUST = {"type": "joust"}
LIMIT = {0: 2, 1: 4, 2: 5}


def jousting(scored: int = 0, **goods: int) -> Table:
    """Seat 0 about to take the favour of a joust, the price of the joust already in its purse."""
    goods["cloth"] = goods.get("cloth", 0) + 1
    goods["deniers"] = goods.get("deniers", 0) + 1
    return Table(3).scored(scored).put(0, "joust_field").purse(0, **goods)


def chosen(line: str, marker: int, scored: int = 2, **goods: int) -> Table:
    """Seat 0 has just chosen a line and its marker has come to stand on `marker`."""
    table = jousting(scored, **goods).markers(0, **{line: marker - 1})
    return table.begin("special_buildings").play(JOUST, favour(line))


# -- the lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("column", [1, 2, 3, 4, 5])
def test_the_line_of_prestige_pays_its_column(column: int) -> None:
    table = chosen("prestige", column)
    assert table.scores[0] == column
    assert table.asked == (0, "place_worker")


@pytest.mark.parametrize(("column", "deniers"), [(1, 3), (2, 4), (3, 5), (4, 6), (5, 7)])
def test_the_line_of_deniers_pays_its_column(column: int, deniers: int) -> None:
    table = chosen("deniers", column)
    assert table.told("gained")[0]["goods"] == {"deniers": deniers}
    assert table.asked == (0, "bribe")


CUBES: dict[int, list[Json]] = {
    1: [take(food=1)],
    2: [take(wood=1), take(stone=1)],
    3: [take(cloth=1)],
    4: [],
    5: [take(gold=1)],
}


@pytest.mark.parametrize("marker", [1, 2, 3, 4, 5])
def test_the_line_of_cubes_offers_all_columns_up_to_its_marker(marker: int) -> None:
    table = chosen("cubes", marker)
    expected = [move for column in range(1, marker + 1) for move in CUBES[column]]
    assert of_type(table.legal, "take") == expected
    assert of_type(table.legal, "trade") == []
    assert DECLINE in table.legal


@pytest.mark.parametrize("move", [move for moves in CUBES.values() for move in moves])
def test_the_cubes_of_every_column_are_taken(move: Json) -> None:
    table = chosen("cubes", 5).play(move)
    gained = [fact["goods"] for fact in table.told("gained") if fact["reason"] == "favour"]
    assert gained == [move["goods"]]


def test_the_cubes_of_a_favour_come_from_no_place() -> None:
    gained = chosen("cubes", 1).play(take(food=1)).told("gained")
    where_from = {"reason": "favour", "source": "joust_field"}
    fact = {"type": "gained", "seat": 0, "goods": {"food": 1}, **where_from}
    assert [one for one in gained if one["reason"] == "favour"] == [fact]


def test_column_four_is_fifty_deals_at_most_and_none_is_listed_twice() -> None:
    table = chosen("cubes", 4, food=1, wood=1, stone=1, cloth=1, gold=1)
    deals = of_type(table.legal, "trade")
    assert len(deals) == len({str(deal) for deal in deals}) == 50
    assert {str(deal["give"]) for deal in deals} == {
        str({cube: 1}) for cube in ("food", "wood", "stone", "cloth", "gold")
    }
    table.play(trade({"wood": 1}, {"wood": 1, "stone": 1}))
    assert table.player(0)["cubes"]["wood"] == 1
    assert table.player(0)["cubes"]["stone"] == 2


def test_column_four_is_not_open_before_the_marker_gets_there() -> None:
    assert of_type(chosen("cubes", 3, wood=1).legal, "trade") == []


def test_the_first_column_of_the_buildings_gives_nothing_and_asks_nothing() -> None:
    table = chosen("buildings", 1, wood=9, food=9, stone=9)
    assert table.player(0)["favours"]["buildings"] == 1
    assert table.asked == (0, "place_worker")


@pytest.mark.parametrize(
    ("building", "pay"),
    [
        ("wood_farm_food", {"food": 1}),
        ("wood_farm_cloth", {"food": 1}),
        ("wood_sawmill", {"food": 1}),
        ("wood_quarry", {"food": 1}),
        ("mason", {"food": 1}),
        ("lawyer", {"cloth": 1}),
        *(("wood_marketplace", {cube: 1}) for cube in ("food", "wood", "stone", "cloth", "gold")),
        *(("wood_peddler", {cube: 1}) for cube in ("food", "wood", "stone", "cloth", "gold")),
    ],
)
def test_column_two_builds_wood_for_one_wood_less(building: str, pay: dict[str, int]) -> None:
    table = chosen("buildings", 2, **pay)
    assert [m["pay"] for m in table.legal if m.get("building") == building] == [pay]
    table.play(build(building, **pay))
    assert table.space(9)["building"] == building
    assert table.told("paid")[-1]["goods"] == pay


@pytest.mark.parametrize(
    ("building", "pay"),
    [
        ("stone_farm", {"food": 1}),
        ("park", {"food": 1}),
        ("workshop", {"food": 1}),
        ("church", {"cloth": 1}),
        ("tailor", {"wood": 1}),
        ("bank", {"wood": 1}),
        ("alchemist", {"food": 1}),
        ("architect_1", {"food": 1}),
    ],
)
def test_column_three_builds_stone_for_one_stone_less(building: str, pay: dict[str, int]) -> None:
    table = chosen("buildings", 3, **pay)
    assert [m["pay"] for m in table.legal if m.get("building") == building] == [pay]
    table.play(build(building, **pay))
    assert table.space(9)["building"] == building


def test_column_four_converts_for_one_cloth_without_the_denier() -> None:
    table = chosen("buildings", 4, cloth=1)
    moves = of_type(table.legal, "convert")
    assert [move["pay"] for move in moves] == [{"cloth": 1}] * 6
    assert of_type(chosen("buildings", 3, cloth=1).legal, "convert") == []
    table.play(convert("road-1", cloth=1))
    assert table.scores[0] == 2


def test_column_five_builds_prestige_at_the_full_price() -> None:
    for marker, offered in ((4, []), (5, [prestige("statue", "road-9", stone=2, gold=1)])):
        table = jousting(2, stone=2, gold=1).markers(0, buildings=marker - 1)
        table.build(0, "road-9", "residence").begin("special_buildings")
        table.play(JOUST, favour("buildings"))
        assert of_type(table.legal, "build_prestige") == offered


def test_all_columns_of_the_buildings_are_offered_at_once() -> None:
    table = jousting(2, food=9, wood=9, stone=9, cloth=9, gold=9).markers(0, buildings=4)
    table.build(0, "road-9", "residence").begin("special_buildings")
    table.play(JOUST, favour("buildings"))
    kinds = {move["type"] for move in table.legal}
    assert kinds == {"build", "convert", "build_prestige", "decline"}
    assert len(table.legal) <= 100


def test_of_the_architects_only_the_lower_numbered_one_in_stock_is_offered() -> None:
    def offered(table: Table) -> list[str]:
        moves = of_type(table.legal, "build")
        return [move["building"] for move in moves if "architect" in move["building"]]

    assert offered(chosen("buildings", 3, food=1)) == ["architect_1"]
    table = jousting(2, food=1).markers(0, buildings=2).build(1, "road-9", "architect_1")
    table.begin("special_buildings").play(JOUST, favour("buildings"))
    assert offered(table) == ["architect_2"]


def test_what_is_offered_may_be_declined() -> None:
    table = chosen("cubes", 1).play(DECLINE)
    assert not [fact for fact in table.told("gained") if fact["reason"] == "favour"]
    table = chosen("buildings", 2, food=1).play(DECLINE)
    assert not table.told("building_built")


# -- the markers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scored", [0, 1, 2])
@pytest.mark.parametrize("line", ["prestige", "deniers", "cubes", "buildings"])
def test_a_marker_advances_as_far_as_the_columns_are_open(line: str, scored: int) -> None:
    for before in range(6):
        if before > LIMIT[scored]:
            continue
        table = jousting(scored).markers(0, **{line: before}).begin("special_buildings")
        table.play(JOUST, favour(line))
        assert table.player(0)["favours"][line] == min(before + 1, LIMIT[scored])


def test_the_other_markers_stay() -> None:
    assert chosen("cubes", 1).player(0)["favours"] == {
        "prestige": 0,
        "deniers": 0,
        "cubes": 1,
        "buildings": 0,
    }


# -- several favours -----------------------------------------------------------------------------


def monument() -> Table:
    table = Table(3).build(1, "road-9", "architect_1").build(0, "road-10", "residence")
    table.put(0, "road-9").provost(9).purse(0, stone=4, gold=2).begin("buildings")
    return table.play(prestige("monument", "road-10", stone=4, gold=2))


def test_two_favours_at_once_are_asked_one_after_the_other_on_different_lines() -> None:
    table = monument()
    assert table.asked == (0, "favour")
    assert [move["line"] for move in table.legal] == ["prestige", "deniers", "cubes", "buildings"]
    table.play(favour("deniers"))
    assert table.asked == (0, "favour")
    assert [move["line"] for move in table.legal] == ["prestige", "cubes", "buildings"]
    table.play(favour("prestige"))
    assert table.asked[1] != "favour"


def test_a_favour_gained_by_a_favour_is_taken_before_the_remaining_ones() -> None:
    table = Table(3).scored(1).houses("walls", 4, 1, 1).markers(0, buildings=2).bailiff(17)
    table.provost(17).purse(0, cloth=1).begin("scoring").play(favour("buildings"))
    table.play(build("church", cloth=1))
    assert table.state.decision is not None
    assert table.state.decision.context["source"] == "church"
    assert [move["line"] for move in table.legal] == ["prestige", "deniers", "cubes"]
    table.play(favour("prestige"))
    assert table.state.decision.context["source"] == "walls"
    assert [move["line"] for move in table.legal] == ["deniers", "cubes"]


def test_a_favour_with_one_line_left_is_still_asked() -> None:
    table = Table(3).scored(1).houses("walls", 5, 1, 1).houses("towers", 6, 4, 4)
    table.bailiff(17).provost(17).begin("scoring")
    table.play(favour("prestige"), favour("deniers"), favour("buildings"))
    assert table.asked == (0, "favour")
    assert table.legal == [favour("cubes")]


def test_lines_used_are_those_of_one_seat() -> None:
    table = Table(3).houses("dungeon", 2, 2, 1).bailiff(11).provost(11).begin("scoring")
    table.play(favour("prestige"))
    assert table.asked == (1, "favour")
    assert len(table.legal) == 4


def test_two_buildings_with_favours_in_one_phase_share_the_lines() -> None:
    table = Table(3).build(1, "road-9", "mason").put(0, "road-9")
    table.build(1, "road-10", "architect_1").put(0, "road-10").build(0, "road-11", "residence")
    table.provost(10).purse(0, stone=3, cloth=1, gold=1).begin("buildings")
    table.play(build("church", stone=1, cloth=1), favour("deniers"))
    table.play(prestige("statue", "road-11", stone=2, gold=1))
    assert [move["line"] for move in table.legal] == ["prestige", "cubes", "buildings"]


def test_a_line_used_in_one_phase_may_be_used_again_in_the_next() -> None:
    """Rules 3, favours: phases 3, 5, 6 and 7 are separate."""
    all_lines = [favour(line) for line in ("prestige", "deniers", "cubes", "buildings")]
    table = Table(3).houses("dungeon", 1, 1, 1).bailiff(11).provost(11)
    table.build(1, "road-9", "mason").put(0, "road-9").put(0, "joust_field").put(0, "castle")
    table.purse(0, food=1, wood=1, stone=1, gold=1, cloth=2, deniers=1).begin("special_buildings")
    way: list[tuple[str, list[Json]]] = [
        ("special_buildings", [{"type": "joust"}]),
        ("buildings", [DECLINE, build("church", stone=1, cloth=1)]),
        ("castle", [batch(wood=1, gold=1)]),
        ("scoring", []),
    ]
    for phase, moves in way:
        table.play(*moves)
        assert (table.view["phase"], table.asked) == (phase, (0, "favour"))
        assert table.legal == all_lines
        table.play(favour("deniers"))


def test_the_worker_stays_until_the_favours_are_taken() -> None:
    table = monument()
    assert table.space(9)["worker"] == 0
    table.play(favour("deniers"))
    assert table.space(9)["worker"] == 0
    table.play(favour("prestige"))
    assert table.space(9)["worker"] is None


def test_the_phase_during_a_favour_is_the_phase_that_brought_it() -> None:
    assert monument().view["phase"] == "buildings"
    assert chosen("cubes", 1).view["phase"] == "special_buildings"
    table = Table(3).put(0, "castle").purse(0, food=1, wood=1, gold=1).begin("castle")
    table.play(batch(wood=1, gold=1))
    assert (table.asked, table.view["phase"]) == ((0, "favour"), "castle")


# -- simplified ----------------------------------------------------------------------------------


def test_simplified_favours_pay_three_points_each_at_once_and_leave_the_markers() -> None:
    table = Table(3, favours="simplified").build(1, "road-9", "architect_1").put(0, "road-9")
    table.build(0, "road-10", "residence").provost(9).purse(0, stone=4, gold=2).begin("buildings")
    table.play(prestige("monument", "road-10", stone=4, gold=2))
    assert table.scores[0] == 14 + 2 * 3
    assert set(table.player(0)["favours"].values()) == {0}
    assert table.asked[1] != "favour"


def test_simplified_favours_never_lapse() -> None:
    table = Table(3, favours="simplified").scored(1).houses("walls", 5, 1, 1)
    table.houses("towers", 6, 4, 4).bailiff(17).provost(17).begin("scoring")
    assert table.scores == [6 * 3, 2 * 3, 2 * 3]
