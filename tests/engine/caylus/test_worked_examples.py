"""The 22 worked examples (rules 6), each by its number."""

from __future__ import annotations

import pytest

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
    spaces,
    take,
)


def test_example_01_the_first_to_pass_gets_a_denier_and_the_others_pay_two() -> None:
    blue, green = 0, 1
    table = Table(4).purse(blue, deniers=4).purse(green, deniers=5).begin("place_workers")
    table.play(PASS)
    assert table.goods(blue) == {"deniers": 5}
    assert table.view["passed"] == [blue]
    assert table.asked == (green, "place_worker")
    assert table.state.decision is not None
    assert table.state.decision.context == {"price": 2}
    table.play(place("road-7"))
    assert table.goods(green) == {"deniers": 3}
    assert table.space(7)["worker"] == green


def test_example_02_after_two_passes_a_place_costs_three_and_its_owner_gets_a_point() -> None:
    blue, orange, red, green = range(4)
    table = Table(4).build(green, "road-9", "mason").passed(blue).purse(orange, deniers=2)
    table.purse(red, deniers=5).purse(green, deniers=5).begin("place_workers", turn=orange)
    table.play(PASS)
    assert table.view["passed"] == [blue, orange]
    assert table.goods(orange) == {"deniers": 2}
    table.play(place("road-9"))
    assert table.goods(red) == {"deniers": 2}
    assert table.scores == [0, 0, 0, 1]


def test_example_03_the_own_farm_costs_one_and_the_castle_four_after_three_passes() -> None:
    blue, orange, green, red = range(4)
    table = Table(4).build(red, "road-9", "wood_farm_food").put(blue, "castle")
    table.passed(blue, orange).purse(green, deniers=3).purse(red, deniers=6)
    table.begin("place_workers", turn=green).play(PASS)
    assert table.asked == (red, "place_worker")
    table.play(place("road-9"))
    assert table.goods(red) == {"deniers": 5}
    assert table.scores == [0, 0, 0, 0]
    table.play(place("castle"))
    assert table.goods(red) == {"deniers": 1}
    assert table.view["castle"] == [blue, red]


def test_example_04_the_stables_change_the_turn_order() -> None:
    red, green, orange, blue = range(4)
    table = Table(4).put(blue, "stables").put(red, "stables").begin("special_buildings")
    assert table.view["turn_order"] == [blue, red, green, orange]
    assert table.view["stables"] == []
    assert [player["workers"] for player in table.view["players"]] == [6, 6, 6, 6]


def test_example_05_the_right_circle_of_the_inn_makes_every_place_cost_one() -> None:
    blue, green, red = 0, 1, 2
    table = Table(3).put(blue, "inn-right").passed(red)
    table.purse(blue, deniers=1).purse(green, deniers=2).begin("place_workers")
    table.play(place("road-1"), place("inn"))
    paid = [(fact["seat"], fact["goods"]["deniers"]) for fact in table.told("paid")]
    assert paid == [(blue, 1), (green, 2)]
    # No player can pay any more: they pass by themselves, and the special buildings follow.
    assert table.view["round"] == 2
    assert table.view["inn"] == {"left": None, "right": green}
    assert table.view["players"][blue]["workers"] == 6
    table.play(PASS)
    assert table.asked == (green, "place_worker")
    before = table.goods(green)["deniers"]
    table.play(place("road-7"))
    assert table.goods(green)["deniers"] == before - 1


def test_example_06_bribes_in_passing_order() -> None:
    red, green, orange, blue = range(4)
    table = Table(4).passed(blue, orange, red, green).provost(9)
    for seat in range(4):
        table.purse(seat, deniers=3)
    table.begin("bribes")
    seats = []
    for move in (DECLINE, provost(-2), provost(2), provost(-1)):
        seats.append(table.state.seat)
        table.play(move)
    assert seats == [blue, orange, red, green]
    assert [fact["to"] for fact in table.told("provost_moved")] == [7, 9, 8]
    paid = [(fact["seat"], fact["goods"]) for fact in table.told("paid")]
    assert paid == [(orange, {"deniers": 2}), (red, {"deniers": 2}), (green, {"deniers": 1})]


def test_example_07_a_wood_farm_through_the_neutral_carpenter() -> None:
    table = Table(3).put(1, "road-1").purse(1, wood=1, food=1).begin("buildings")
    table.play(build("wood_farm_food", wood=1, food=1))
    assert table.goods(1).get("wood", 0) == table.goods(1).get("food", 0) == 0
    assert table.space(9) == {
        "space": "road-9",
        "building": "wood_farm_food",
        "owner": 1,
        "worker": None,
    }
    assert table.scores == [0, 2, 0]


@pytest.mark.parametrize("bonus", ["food", "cloth"])
def test_example_08_the_stone_farm_used_by_another(bonus: str) -> None:
    owner, user = 0, 1
    table = Table(3).build(owner, "road-9", "stone_farm").put(user, "road-9").provost(9)
    table.begin("buildings")
    assert table.goods(user) == {"food": 2, "cloth": 1}
    assert table.asked == (owner, "owner_bonus")
    assert table.legal == [take(food=1), take(cloth=1)]
    table.play(take(**{bonus: 1}))
    assert [f for f in table.told("gained") if f["reason"] == "owner_bonus"] == [
        {
            "type": "gained",
            "seat": owner,
            "goods": {bonus: 1},
            "reason": "owner_bonus",
            "space": "road-9",
            "building": "stone_farm",
        }
    ]


def test_example_08_the_stone_farm_used_by_its_owner() -> None:
    table = Table(3).build(0, "road-9", "stone_farm").put(0, "road-9").provost(9)
    table.begin("buildings")
    assert [fact["goods"] for fact in table.told("gained")][:1] == [{"food": 2, "cloth": 1}]
    assert not [fact for fact in table.told("gained") if fact["reason"] == "owner_bonus"]


def test_example_09_the_statue_on_a_residence() -> None:
    blue, green, red = range(3)
    table = Table(3).build(blue, "road-9", "architect_1").build(green, "road-10", "residence")
    table.purse(green, gold=1, stone=2, deniers=3).passed(red, blue).provost(9)
    table.begin("place_workers", turn=green).play(place("road-9"))
    assert table.scores == [1, 0, 0]
    assert table.asked == (green, "build_prestige")
    table.play(prestige("statue", "road-10", gold=1, stone=2))
    assert table.goods(green) == {}
    assert table.space(10)["building"] == "statue"
    assert table.space(10)["owner"] == green
    assert table.scores == [1, 7, 0]
    assert table.asked == (green, "favour")


def test_example_10_the_lawyer_turns_the_quarry_into_a_residence() -> None:
    blue = 0
    table = Table(3).build(blue, "road-9", "lawyer").put(blue, "road-9").provost(9)
    table.purse(blue, cloth=1, deniers=1).begin("buildings")
    table.play(convert("road-5", cloth=1, deniers=1))
    assert table.space(5)["building"] == "residence"
    assert table.space(5)["owner"] == blue
    assert table.scores[blue] == 2
    assert table.view["round"] == 2
    assert table.goods(blue) == {"deniers": 3}
    assert "neutral_quarry" not in [entry["building"] for entry in table.view["road"]]


def eleventh() -> Table:
    red, green = 0, 1
    table = Table(3).houses("dungeon", 0, 0, 4).put(red, "castle").put(green, "castle")
    table.purse(red, food=1, stone=1, wood=1)
    return table


def test_example_11_batches_go_on_into_the_walls() -> None:
    red, green = 0, 1
    table = eleventh().purse(green, food=2, wood=2, cloth=2).begin("castle")
    table.play(batch(stone=1, wood=1))
    assert table.scores[red] == 5
    table.play(batch(wood=1, cloth=1), batch(wood=1, cloth=1))
    assert table.scores[green] == 5 + 4
    assert table.view["sections"]["dungeon"]["houses"] == [1, 1, 4]
    assert table.view["sections"]["walls"]["houses"] == [0, 1, 0]
    assert table.asked == (green, "favour")


def test_example_11_with_equal_batches_the_earlier_slot_gets_the_favour() -> None:
    red, green = 0, 1
    table = eleventh().purse(green, food=1, wood=1, cloth=1).begin("castle")
    table.play(batch(stone=1, wood=1), batch(wood=1, cloth=1))
    assert table.scores[green] == 5
    assert table.asked == (red, "favour")


def test_example_12_a_complete_dungeon_is_scored_before_the_bailiff_comes() -> None:
    table = Table(3).houses("dungeon", 1, 2, 2).put(0, "castle").bailiff(8).provost(8)
    table.purse(0, food=1, wood=1, cloth=1).begin("castle")
    table.play(batch(wood=1, cloth=1), favour("prestige"))
    assert table.view["phase"] == "scoring"
    assert table.view["bailiff"] == 9
    assert table.told("section_counted")[0]["section"] == "dungeon"


@pytest.mark.parametrize(
    ("ahead", "expected"), [(-6, 8), (-1, 8), (0, 8), (1, 9), (5, 9)], ids=lambda n: str(n)
)
def test_example_13_the_bailiff_moves_two_when_the_provost_is_ahead(
    ahead: int, expected: int
) -> None:
    table = Table(3).bailiff(7).provost(7 + ahead).begin("scoring")
    assert table.view["bailiff"] == table.view["provost"] == expected


@pytest.mark.parametrize("scored", [0, 1])
def test_example_14_the_bailiff_on_twelve_has_the_dungeon_scored_once(scored: int) -> None:
    table = Table(3).bailiff(10).provost(11).scored(scored).points(9, 9, 9).begin("scoring")
    assert table.view["bailiff"] == 12
    assert table.scores == ([9, 9, 9] if scored else [7, 7, 7])


def test_example_15_scoring_the_dungeon() -> None:
    red, blue, orange, green = range(4)
    table = Table(4).houses("dungeon", 2, 3, 0, 1).houses("walls", 0, 0, 0, 1)
    table.points(0, 0, 1, 3).bailiff(11).provost(11).begin("scoring")
    assert table.asked == (red, "favour")
    table.play(favour("deniers"))
    assert table.asked == (blue, "favour")
    table.play(favour("deniers"))
    assert table.scores == [0, 0, 0, 3]
    assert table.view["sections"]["dungeon"]["scored"]
    assert [(f["seat"], f["points"]) for f in table.told("points")] == [(orange, -1)]
    assert green not in [fact["seat"] for fact in table.told("favours_won")]


def test_example_16_a_blocked_marker_still_pays() -> None:
    orange = 0
    table = Table(3).houses("dungeon", 2, 1, 1).markers(orange, prestige=2).bailiff(11)
    table.provost(11).begin("scoring").play(favour("prestige"))
    assert table.player(orange)["favours"]["prestige"] == 2
    assert table.scores[orange] == 2


def test_example_17_the_church_and_the_first_column_of_the_cubes() -> None:
    blue = 0
    table = Table(3).scored(2).build(blue, "road-9", "mason").put(blue, "road-9").provost(9)
    table.markers(blue, cubes=2).purse(blue, stone=1, cloth=1).begin("buildings")
    table.play(build("church", stone=1, cloth=1))
    assert table.scores[blue] == 3
    table.play(favour("cubes"))
    assert table.player(blue)["favours"]["cubes"] == 3
    table.play(take(food=1))
    assert table.player(blue)["cubes"]["food"] == 1
    assert table.player(blue)["cubes"]["stone"] == table.player(blue)["cubes"]["cloth"] == 0


def test_example_18_the_park_by_the_joust() -> None:
    green = 1
    table = Table(3).scored(1).put(green, "joust_field").markers(green, buildings=2)
    table.purse(green, deniers=1, cloth=1, food=1).begin("special_buildings")
    table.play({"type": "joust"}, favour("buildings"))
    assert table.player(green)["favours"]["buildings"] == 3
    table.play(build("park", food=1))
    assert table.scores[green] == 3
    assert table.space(9)["building"] == "park"
    assert table.goods(green).get("food", 0) == 0


def test_example_19_the_end_count() -> None:
    table = Table(3).scored(3).purse(0, gold=2, food=3, wood=2, stone=1, cloth=1, deniers=9)
    table.begin("scoring")
    assert table.state.over
    assert table.state.final().to_json() == {
        "scores": [10, 0, 0],
        "winners": [0],
        "breakdown": [
            {"seat": 0, "reason": "gold", "points": 6, "detail": 2},
            {"seat": 0, "reason": "cubes", "points": 2, "detail": 7},
            {"seat": 0, "reason": "deniers", "points": 2, "detail": 9},
        ],
    }


@pytest.mark.parametrize(
    ("space", "in_the_inn", "price"),
    [
        ("road-7", False, 3),
        ("castle", False, 3),
        ("road-10", False, 3),
        ("road-9", False, 1),
        ("road-7", True, 1),
        ("castle", True, 1),
        ("road-9", True, 1),
    ],
)
def test_example_20_with_two_players_the_other_pays_three(
    space: str, in_the_inn: bool, price: int
) -> None:
    table = Table(2).build(1, "road-9", "park").build(0, "road-10", "bank").passed(0)
    if in_the_inn:
        table.put(1, "inn-right")
    table.purse(1, deniers=9).begin("place_workers", turn=1).play(place(space))
    assert table.goods(1) == {"deniers": 9 - price}


def test_example_20_with_two_deniers_only_the_own_building_is_left() -> None:
    table = Table(2).build(1, "road-9", "park").build(0, "road-10", "bank").passed(0)
    table.purse(1, deniers=2).begin("place_workers", turn=1)
    assert spaces(table.legal) == {"road-9"}


def test_example_21_no_cloth_at_the_joust_yet_from_the_farm() -> None:
    table = Table(3).put(0, "joust_field").put(0, "road-2").purse(0, deniers=1)
    table.begin("special_buildings")
    assert table.asked == (0, "bribe")
    assert table.told("favours_won") == []


def test_example_21_the_deniers_of_the_trading_post_pay_for_the_joust() -> None:
    table = Table(3).put(0, "joust_field").put(0, "trading_post").purse(0, cloth=1)
    table.begin("special_buildings")
    assert table.asked == (0, "joust_field")
    table.play({"type": "joust"})
    assert table.goods(0) == {"deniers": 2}
    assert table.asked == (0, "favour")


def test_example_22_a_tie_is_won_by_both() -> None:
    table = Table(3).scored(3).points(20, 18, 19).purse(2, deniers=4).begin("scoring")
    assert table.state.final().scores == [20, 18, 20]
    assert table.state.final().winners == [0, 2]
