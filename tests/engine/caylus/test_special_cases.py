"""The special cases of the rules (sections 3 and 5) and the exact moments of the contract."""

from __future__ import annotations

from tests.engine.caylus.position import (
    DECLINE,
    PASS,
    Table,
    batch,
    build,
    convert,
    favour,
    of_type,
    place,
    prestige,
    spaces,
    take,
)

JOUST = {"type": "joust"}


def move_worker(space: str) -> dict[str, str]:
    return {"type": "move_worker", "space": space}


# -- the gate ------------------------------------------------------------------------------------


def test_the_gate_into_the_castle_takes_the_next_slot() -> None:
    table = Table(3).put(0, "gate").put(1, "castle").purse(0, food=1, wood=1, gold=1)
    table.begin("special_buildings").play(move_worker("castle"))
    assert table.asked == (0, "castle")
    assert table.view["castle"] == [1, 0]
    assert table.told("worker_moved") == [{"type": "worker_moved", "seat": 0, "space": "castle"}]


def test_the_gate_into_the_stables_takes_the_next_slot() -> None:
    table = Table(4).put(0, "gate").put(3, "stables").begin("special_buildings")
    table.play(move_worker("stables"))
    assert table.view["turn_order"] == [3, 0, 1, 2]


def test_the_gate_does_not_lead_into_stables_or_castle_twice() -> None:
    table = Table(3).put(0, "gate").put(0, "stables").put(0, "castle").begin("special_buildings")
    assert not {"stables", "castle", "gate"} & spaces(table.legal)


def test_the_gate_does_not_lead_into_full_stables() -> None:
    table = Table(4).put(0, "gate")
    for seat in (1, 2, 3):
        table.put(seat, "stables")
    assert "stables" not in spaces(table.begin("special_buildings").legal)


def test_with_two_players_the_gate_does_not_lead_into_the_stables() -> None:
    assert "stables" not in spaces(Table(2).put(0, "gate").begin("special_buildings").legal)


def test_the_gate_into_the_inn_takes_the_left_circle_and_pushes_the_right_one_out() -> None:
    table = Table(3).put(0, "gate").put(1, "inn-right").begin("special_buildings")
    table.play(move_worker("inn"))
    assert table.view["inn"] == {"left": None, "right": 0}
    assert table.player(1)["workers"] == 6


def test_the_gate_into_a_foreign_building_gives_its_owner_a_point_and_costs_nothing() -> None:
    table = Table(3).put(0, "gate").build(1, "road-9", "bank").provost(9).begin("special_buildings")
    table.play(move_worker("road-9"))
    assert table.scores == [0, 1, 0]
    assert table.told("paid") == []


def test_the_gate_into_an_own_building_gives_no_point() -> None:
    table = Table(3).put(0, "gate").build(0, "road-9", "bank").begin("special_buildings")
    assert table.play(move_worker("road-9")).scores == [0, 0, 0]


def test_the_gate_into_a_later_special_building_activates_it_in_the_same_phase() -> None:
    table = Table(3).put(0, "gate").begin("special_buildings").play(move_worker("trading_post"))
    assert table.goods(0) == {"deniers": 3}
    assert table.player(0)["workers"] == 6


def test_a_worker_taken_back_at_the_gate_is_available_again() -> None:
    table = Table(3).put(0, "gate").purse(0, deniers=1).begin("special_buildings").play(DECLINE)
    assert table.player(0)["workers"] == 6
    assert table.view["gate"] is None


# -- the inn -------------------------------------------------------------------------------------


def test_one_seat_may_hold_both_circles_of_the_inn() -> None:
    table = Table(3).put(0, "inn-right").passed(1, 2).purse(0, deniers=1).begin("place_workers")
    table.play(place("inn"))
    assert table.view["round"] == 2
    assert table.view["inn"] == {"left": None, "right": 0}
    assert table.player(0)["workers"] == 5
    assert [fact["seat"] for fact in table.told("worker_home")][:1] == [0]


def test_the_discount_of_the_inn_counts_in_the_next_round_only() -> None:
    table = Table(3).passed(1, 2).purse(0, deniers=4).begin("place_workers").play(place("inn"))
    assert table.told("paid")[0]["goods"] == {"deniers": 3}
    table = Table(3).passed(1).put(0, "inn").purse(0, deniers=4).begin("place_workers")
    table.play(place("road-1"))
    assert table.told("paid")[0]["goods"] == {"deniers": 2}


def test_the_left_circle_is_taken_by_one_worker_only() -> None:
    table = Table(3).put(1, "inn").purse(0, deniers=4).begin("place_workers")
    assert "inn" not in spaces(table.legal)


# -- passing -------------------------------------------------------------------------------------


def test_a_forced_pass_earns_the_first_denier() -> None:
    table = Table(3).purse(1, deniers=2).begin("place_workers")
    assert table.view["passed"] == [0]
    assert table.goods(0) == {"deniers": 1}
    assert table.told("passed") == [{"type": "passed", "seat": 0, "slot": 1, "forced": True}]


def test_without_a_worker_a_seat_passes_at_its_turn() -> None:
    table = Table(3).purse(0, deniers=9).purse(1, deniers=9)
    for space in ("road-1", "road-2", "road-3", "road-4", "road-5", "road-6"):
        table.put(0, space)
    table.begin("place_workers")
    assert table.asked == (1, "place_worker")
    assert table.view["passed"] == [0]


def test_a_seat_that_has_passed_is_skipped() -> None:
    table = Table(3)
    for seat in range(3):
        table.purse(seat, deniers=9)
    table.begin("place_workers").play(PASS, place("road-1"), place("road-2"))
    assert table.asked == (1, "place_worker")


def test_without_any_money_everybody_passes_and_the_round_goes_on() -> None:
    table = Table(3).begin("place_workers")
    assert table.asked == (0, "bribe")
    assert table.view["passed"] == [0, 1, 2]
    assert table.view["turn_order"] == [0, 1, 2]


def test_the_passing_order_is_emptied_when_the_next_round_starts() -> None:
    table = Table(3, turn_order=[2, 0, 1]).purse(0, deniers=1).passed(1).begin("place_workers")
    assert table.view["passed"] == [1, 2, 0]
    table.play(DECLINE)
    assert table.view["round"] == 2
    assert table.view["passed"] == []


# -- the castle ----------------------------------------------------------------------------------


def full_towers() -> Table:
    return Table(3).scored(2).houses("towers", 5, 5, 4).points(9, 9, 9).bailiff(20).provost(20)


def test_full_towers_with_a_batch_to_give_excuse() -> None:
    table = full_towers().put(0, "castle").purse(0, food=1, wood=1, stone=1).begin("castle")
    assert not [fact for fact in table.told("points") if fact["reason"] == "no_batch"]


def test_full_towers_without_a_batch_to_give_cost_two_points() -> None:
    table = full_towers().put(0, "castle").purse(0, food=1, wood=1).begin("castle")
    lost = [fact["points"] for fact in table.told("points") if fact["reason"] == "no_batch"]
    assert lost == [-2]


def test_the_last_free_part_of_the_towers_ends_the_batches() -> None:
    table = Table(3).scored(2).houses("towers", 5, 5, 3).bailiff(20).provost(20)
    table.put(0, "castle").put(1, "castle").points(0, 9, 0)
    table.purse(0, food=2, wood=2, stone=2).purse(1, food=1, wood=1, stone=1).begin("castle")
    table.play(batch(wood=1, stone=1))
    assert table.asked == (0, "favour")
    assert table.scores == [3, 9, 0]


def test_a_full_dungeon_not_yet_scored_leads_on_to_the_walls() -> None:
    table = Table(3).houses("dungeon", 6, 0, 0).put(1, "castle").purse(1, food=1, wood=1, gold=1)
    table.begin("castle").play(batch(wood=1, gold=1))
    assert table.scores[1] == 4
    assert table.view["sections"]["walls"]["houses"] == [0, 1, 0]


def test_a_scored_section_is_closed_though_it_has_free_parts() -> None:
    table = Table(3).scored(1).houses("dungeon", 1, 1, 1).put(1, "castle")
    table.purse(1, food=1, wood=1, gold=1).begin("castle").play(batch(wood=1, gold=1))
    assert table.view["sections"]["walls"]["houses"] == [0, 1, 0]
    assert table.view["sections"]["dungeon"]["houses"] == [1, 1, 1]


def test_nobody_builds_and_nobody_gets_the_favour() -> None:
    table = Table(3).put(0, "castle").purse(0, food=1, wood=1, gold=1).begin("castle")
    assert table.play(DECLINE).told("favours_won") == []


def test_declining_after_a_batch_costs_nothing() -> None:
    table = Table(3).put(0, "castle").purse(0, food=2, wood=2, gold=2).begin("castle")
    table.play(batch(wood=1, gold=1), DECLINE)
    assert table.scores[0] == 5
    assert table.asked == (0, "favour")


def test_the_penalty_does_not_go_below_zero() -> None:
    table = Table(3).points(1, 0, 5).put(0, "castle").put(1, "castle").put(2, "castle")
    assert table.begin("castle").scores == [0, 0, 3]


def test_castle_workers_go_home_together_after_the_favour() -> None:
    table = Table(3).put(0, "castle").put(1, "castle").purse(0, food=1, wood=1, gold=1)
    table.begin("castle").play(batch(wood=1, gold=1))
    assert table.asked == (0, "favour")
    assert table.view["castle"] == [0, 1]
    assert [p["workers"] for p in table.view["players"]] == [5, 5, 6]
    table.play(favour("prestige"))
    assert table.view["castle"] == []
    assert [p["workers"] for p in table.view["players"]] == [6, 6, 6]


# -- scoring -------------------------------------------------------------------------------------


def test_two_sections_scored_in_one_round() -> None:
    table = Table(3).houses("dungeon", 2, 2, 2).houses("walls", 2, 4, 4).bailiff(9).provost(9)
    table.begin("scoring")
    asked = []
    while table.view["round"] == 1:
        asked.append(table.asked)
        table.play(table.legal[0])
    assert [section["section"] for section in table.told("section_scored")] == ["dungeon", "walls"]
    favours = [seat for seat, kind in asked if kind == "favour"]
    assert favours == [0, 1, 2, 0, 1, 1, 2, 2]
    assert table.view["sections"]["towers"]["scored"] is False


def test_lines_used_for_the_first_section_are_used_for_the_second() -> None:
    table = Table(3).houses("dungeon", 2, 2, 2).houses("walls", 2, 4, 4).bailiff(9).provost(9)
    table.begin("scoring").play(favour("prestige"), favour("deniers"), favour("prestige"))
    assert table.asked == (0, "favour")
    assert {move["line"] for move in table.legal} == {"deniers", "cubes", "buildings"}
    table.play(favour("deniers"))
    assert {move["line"] for move in table.legal} == {"prestige", "cubes", "buildings"}


def test_the_columns_open_when_all_favours_of_the_section_are_taken() -> None:
    table = Table(3).markers(2, deniers=2).houses("dungeon", 2, 2, 2).houses("walls", 4, 4, 2)
    table.bailiff(9).provost(9).begin("scoring")
    table.play(favour("prestige"), favour("prestige"), favour("prestige"))
    assert table.view["sections"]["dungeon"]["scored"]
    table.play(favour("deniers"), favour("cubes"), take(food=1))
    table.play(favour("deniers"), favour("cubes"), take(food=1))
    table.play(favour("deniers"))
    assert table.player(2)["favours"]["deniers"] == 3


def test_during_its_own_scoring_the_old_limit_holds() -> None:
    table = Table(3).markers(1, deniers=2).houses("dungeon", 0, 2, 2).bailiff(11).provost(11)
    table.begin("scoring").play(favour("deniers"))
    assert table.player(1)["favours"]["deniers"] == 2
    assert table.goods(1) == {"deniers": 4}


def test_the_game_ends_after_the_towers_with_the_position_as_it_is() -> None:
    table = Table(3, turn_order=[2, 0, 1]).scored(2).houses("towers", 2, 1, 1).passed(1, 2, 0)
    table.purse(0, deniers=3).bailiff(23).provost(20).begin("scoring")
    assert not table.state.over
    table.play(favour("prestige"))
    assert table.state.over
    assert table.state.decision is None
    assert (table.view["phase"], table.view["round"]) == ("over", 1)
    assert table.view["turn_order"] == [2, 0, 1]
    assert table.view["passed"] == [1, 2, 0]
    assert table.goods(0) == {"deniers": 3}
    assert table.view["sections"]["towers"]["scored"]


def test_two_players_end_with_the_order_of_the_last_round() -> None:
    table = Table(2).scored(2).houses("towers", 1, 1).bailiff(23).provost(20).begin("scoring")
    assert table.state.over
    assert table.view["turn_order"] == [0, 1]


def test_the_new_turn_order_counts_for_the_scoring_of_the_same_round() -> None:
    table = Table(3).put(2, "stables").houses("dungeon", 2, 2, 2).bailiff(11).provost(11)
    table.begin("special_buildings")
    assert table.view["phase"] == "scoring"
    assert table.asked == (2, "favour")


# -- the road ------------------------------------------------------------------------------------


def test_a_full_road_leaves_the_carpenter_nothing_to_build() -> None:
    table = Table(3).fill_road(1).put(0, "road-1").purse(0, wood=9, food=9, cloth=9)
    assert table.begin("buildings").asked[1] != "build"


def test_a_full_road_leaves_the_favour_only_conversions_and_prestige_buildings() -> None:
    table = Table(3).scored(2).markers(0, buildings=4).fill_road(0).put(0, "joust_field")
    table.purse(0, wood=9, food=9, stone=9, cloth=9, gold=9, deniers=9)
    table.begin("special_buildings").play(JOUST, favour("buildings"))
    assert {move["type"] for move in table.legal} == {"convert", "build_prestige", "decline"}


def test_after_a_conversion_a_full_road_is_still_full() -> None:
    table = Table(3).fill_road(1).clear("road-9")
    table.build(0, "road-9", "lawyer").put(0, "road-9").put(0, "road-8").provost(9)
    table.purse(0, wood=1, food=1, cloth=1, deniers=1).begin("buildings")
    assert table.asked == (0, "convert")
    table.play(convert("road-1", cloth=1, deniers=1))
    assert of_type(table.legal, "build") == []


def test_prestige_buildings_need_no_empty_space() -> None:
    table = Table(3).fill_road(0).clear("road-9")
    table.build(1, "road-9", "architect_1").put(0, "road-9").provost(9)
    table.purse(0, stone=2, gold=1).begin("buildings")
    assert prestige("statue", "road-28", stone=2, gold=1) in table.legal


def test_no_worker_on_residences_and_prestige_buildings() -> None:
    table = Table(3).build(0, "road-9", "residence").build(0, "road-10", "statue")
    table.purse(0, deniers=9).begin("place_workers")
    assert not {"road-9", "road-10", "road-11"} & spaces(table.legal)


def test_a_building_built_in_this_phase_has_no_worker() -> None:
    table = Table(3).put(0, "road-1").purse(0, wood=1, food=1).provost(9).begin("buildings")
    table.play(build("wood_quarry", wood=1, food=1))
    assert not [fact for fact in table.told("gained") if fact["reason"] == "production"]
    assert table.goods(0) == {"deniers": 2}
