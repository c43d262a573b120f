"""The sentences of the rules, each in a game of a few tiles.

D lies at (0, 0): city north, road east and west, fields north (f0) and south (f1) of the road.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.carcassonne.script import SKIP, Script

CAP = ("E", 0, -1, 180, SKIP)
"""Closes the city of the start tile: two tiles."""


# -- the table of edge cases (rules 3) --------------------------------------------------------


def tied_city(*extra: Any, middle: str = "N") -> Script:
    return Script((middle, 0, -1, 90, "c0"), ("K", 1, 0, 0, "c0"), *extra)


def test_in_a_tie_all_tied_seats_score_in_full() -> None:
    game = tied_city(("N", 1, -1, 180, SKIP))
    assert game.scores == [8, 8]
    assert game.supply == [7, 7]


def test_a_city_seen_by_a_farm_through_several_tiles_counts_once() -> None:
    game = Script(("E", 0, -1, 180, "f0"), ("U", -1, 0, 90, SKIP), ("B", -1, -1, 0, SKIP))
    assert game.breakdown == [(0, "farm", 3)]


def test_the_east_half_of_a_north_edge_faces_the_east_half_of_the_south_edge() -> None:
    game = Script(("V", 1, 0, 0, "f1"), ("U", 1, 1, 0, SKIP))
    assert game.options[1] == ["r0", "f0"]


def test_the_fields_of_two_tiles_that_meet_city_to_city_stay_apart() -> None:
    game = Script(("D", 0, -1, 180, "f0"), ("U", 1, 0, 90, SKIP))
    assert game.options[1] is not None
    assert "f1" in game.options[1]


MONASTERY = (
    ("B", 0, 1, 0, "m0"),
    ("U", -1, 0, 90, SKIP),
    ("U", 1, 0, 90, SKIP),
    ("B", -1, 1, 0, SKIP),
    ("B", 1, 1, 0, SKIP),
    ("B", 0, 2, 0, SKIP),
    ("E", -1, 2, 180, SKIP),
)


def test_a_monastery_is_completed_by_any_of_its_eight_neighbours_from_any_seat() -> None:
    game = Script(*MONASTERY, ("E", 1, 2, 180, SKIP))
    assert game.scores == [9, 0]
    assert game.supply == [7, 7]


def test_the_facts_of_a_completed_monastery_count_its_nine_tiles() -> None:
    facts = Script(*MONASTERY, ("E", 1, 2, 180, SKIP)).facts[-1]
    assert facts[1] == {"type": "feature_completed", "feature": "monastery", "tiles": 9}
    points = {"type": "points", "seat": 0, "points": 9, "reason": "monastery", "tiles": 9}
    assert facts[2] == points


def test_a_monastery_can_be_completed_by_its_own_placement() -> None:
    ring = [turn for turn in MONASTERY if turn[1:3] != (0, 1)]
    turns = [("E", 1, 2, 180, SKIP), *ring]
    order = [(-1, 0), (1, 0), (-1, 1), (1, 1), (-1, 2), (1, 2), (0, 2)]
    turns.sort(key=lambda turn: order.index(turn[1:3]))
    game = Script(*turns, ("B", 0, 1, 0, "m0"))
    assert game.scores == [0, 9]
    assert game.supply == [7, 7]


def test_one_tile_may_complete_several_monasteries() -> None:
    game = Script(
        ("B", 0, 1, 0, "m0"),
        ("B", 0, 2, 0, "m0"),
        ("B", -1, 1, 0, SKIP),
        ("B", -1, 2, 0, SKIP),
        ("U", -1, 0, 90, SKIP),
        ("U", 1, 0, 90, SKIP),
        ("E", -1, 3, 180, SKIP),
        ("E", 0, 3, 180, SKIP),
        ("E", 1, 3, 180, SKIP),
        ("E", 1, 2, 90, SKIP),
        ("E", 1, 1, 90, SKIP),
    )
    assert game.scores == [9, 9]


def test_for_a_tile_that_fits_nowhere_the_same_seat_draws_again() -> None:
    game = Script(CAP, drawn_last="CU")
    assert game.state.view()["discarded"] == ["C"]
    assert game.state.view()["tile"] == "U"
    assert game.state.seat == 1


def test_a_tile_that_is_twice_in_one_road_counts_once() -> None:
    game = Script(
        ("X", 1, 0, 0, "r0"), ("V", 1, -1, 270, SKIP), ("V", 2, -1, 0, SKIP), ("V", 2, 0, 90, SKIP)
    )
    assert game.scores == [4, 0]


@pytest.mark.parametrize(
    ("options", "points"), [({}, 4), ({"tiny_city": 4}, 4), ({"tiny_city": 2}, 2)]
)
def test_a_city_of_two_tiles_pays_what_the_option_says(options: Any, points: int) -> None:
    game = Script(("E", 0, -1, 180, "c0"), options=options)
    assert game.scores == [points, 0]


def test_the_option_for_tiny_cities_concerns_no_larger_city() -> None:
    game = Script(("G", 0, -1, 90, "c0"), ("E", 0, -2, 180, SKIP), options={"tiny_city": 2})
    assert game.scores == [6, 0]


LOOP = (
    ("V", 0, 1, 0, "r0"),
    ("V", -1, 1, 270, SKIP),
    ("V", 0, 2, 90, SKIP),
)


def test_a_circular_road_is_complete() -> None:
    game = Script(*LOOP, ("V", -1, 2, 180, SKIP))
    assert game.scores == [4, 0]


def test_a_field_inside_a_road_loop_is_a_farm_that_may_be_worth_nothing() -> None:
    game = Script(*LOOP, ("V", -1, 2, 180, "f1"))
    assert game.breakdown == [(1, "farm", 0)]


RING = (
    ("R", 0, -1, 180, "c0"),
    ("N", -1, -1, 0, SKIP),
    ("N", 1, -1, 270, SKIP),
    ("G", -1, -2, 90, SKIP),
    ("F", 1, -2, 90, SKIP),
    ("N", -1, -3, 90, SKIP),
    ("M", 1, -3, 180, SKIP),
    ("F", 0, -3, 0, SKIP),
)
"""A ring of city tiles round (0, -2), whose four sides are fields."""


def test_a_ring_city_round_an_empty_cell_is_complete() -> None:
    game = Script(*RING)
    assert game.scores == [2 * (9 + 3), 0]


def test_holes_may_be_enclosed_and_filled() -> None:
    game = Script(*RING, ("B", 0, -2, 0, "f0"))
    assert game.final == [24 + 3, 0]


def test_corner_contact_joins_no_fields() -> None:
    game = Script(("E", 0, -1, 180, "f0"), ("U", 1, 0, 90, "f1"))
    assert game.options[1] == ["r0", "f0", "f1"]


def test_corner_contact_joins_no_cities() -> None:
    game = Script(("G", 0, -1, 90, "c0"), ("K", 1, 0, 0, "c0"))
    assert game.breakdown == [(0, "city", 2), (1, "city", 1)]


def test_both_fields_beside_a_road_into_a_city_touch_it_but_are_two_farms() -> None:
    game = Script(
        ("T", 0, -1, 90, "f0"),
        ("U", -1, -1, 90, "f1"),
        ("E", 0, -2, 180, SKIP),
        ("E", 1, -1, 270, SKIP),
    )
    assert game.breakdown == [(0, "farm", 3), (1, "farm", 3)]


MERGING = (
    ("E", 0, -1, 180, "f0"),
    ("U", 1, 0, 90, "f1"),
    ("U", 0, -2, 90, "f1"),
    ("A", 1, -2, 90, SKIP),
    ("B", 1, -1, 0, SKIP),
)
"""A farmer of seat 0 on either side of a road, one of seat 1 elsewhere; then all fields join."""


def test_farmers_of_merging_farms_add_up() -> None:
    assert Script(*MERGING[:3]).breakdown == [(0, "farm", 3), (0, "farm", 0), (1, "farm", 3)]
    assert Script(*MERGING).breakdown == [(0, "farm", 3)]


def test_a_second_farmer_may_join_a_field_by_a_later_connection() -> None:
    game = Script(*MERGING)
    assert game.supply == [5, 6]
    assert game.options[2] == ["r0", "f1"]
    assert game.options[3] == ["r0", "m0"]


def test_a_farmer_south_of_the_start_road_does_not_touch_the_city_of_that_tile() -> None:
    game = Script(("B", 0, 1, 0, "f0"), CAP)
    assert game.breakdown == [(0, "farm", 0)]


def test_after_an_unplaceable_last_tile_the_game_is_over_and_counted() -> None:
    game = Script(("E", 0, -1, 180, "f0"), drawn_last="C")
    assert game.state.over
    assert game.state.view()["discarded"] == ["C"]
    assert game.final == [3, 0]
    assert [fact["type"] for fact in game.facts[0]][-2:] == ["tile_set_aside", "play_over"]


SEVEN_OUT = (
    ("N", 0, -1, 90, "c0"),
    ("U", -1, 0, 90, SKIP),
    ("B", 0, 1, 0, "m0"),
    ("E", 1, 1, 90, SKIP),
    ("B", 0, 2, 0, "m0"),
    ("E", 1, 2, 90, SKIP),
    ("B", 0, 3, 0, "m0"),
    ("E", 1, 3, 90, SKIP),
    ("B", 0, 4, 0, "m0"),
    ("E", 1, 4, 90, SKIP),
    ("A", 1, 0, 90, "m0"),
    ("U", 0, 5, 90, SKIP),
    ("A", -2, 0, 270, "m0"),
    ("U", 1, 5, 90, SKIP),
)
"""Seat 0 places all seven followers, seat 1 none."""


def test_a_follower_that_comes_back_is_usable_from_the_next_turn_on_only() -> None:
    game = Script(*SEVEN_OUT)
    assert game.supply == [0, 7]
    game = Script(
        *SEVEN_OUT, ("E", 1, -1, 270, SKIP), ("U", 2, 5, 90, SKIP), ("U", 1, -2, 90, "r0")
    )
    assert game.options[-3] is None
    assert game.told("follower_returned") == [
        {"type": "follower_returned", "seat": 0, "x": 0, "y": -1, "segment": "c0"}
    ]
    assert game.options[-1] is not None


def test_completing_the_feature_of_another_seat_pays_its_owner() -> None:
    game = Script(("G", 0, -1, 90, "c0"), ("E", 0, -2, 180, SKIP))
    assert game.scores == [6, 0]


# -- the worked examples of the rulebook (rules 4) ----------------------------------------------


def test_a_road_of_three_tiles_pays_three() -> None:
    game = Script(("L", 1, 0, 0, "r2"), ("A", -1, 0, 270, SKIP))
    assert game.scores == [3, 0]


def test_a_road_of_four_tiles_pays_four() -> None:
    game = Script(("L", 1, 0, 0, "r2"), ("U", -1, 0, 90, SKIP), ("A", -2, 0, 270, SKIP))
    assert game.scores == [4, 0]


def test_a_city_of_four_tiles_pays_eight() -> None:
    game = Script(("R", 0, -1, 180, "c0"), ("E", -1, -1, 90, SKIP), ("E", 1, -1, 270, SKIP))
    assert game.scores == [8, 0]


def test_a_city_of_three_tiles_with_a_pennant_pays_eight() -> None:
    game = Script(("F", 0, -1, 90, "c0"), ("E", 0, -2, 180, SKIP))
    assert game.scores == [8, 0]


def test_a_tied_city_of_five_tiles_pays_ten_to_each() -> None:
    game = tied_city(("E", 0, -2, 180, SKIP), ("N", 1, -1, 180, SKIP), middle="R")
    assert game.scores == [10, 10]


def test_a_follower_placed_this_turn_may_score_and_come_back_at_once() -> None:
    city = Script(("E", 0, -1, 180, "c0"))
    road = Script(("L", 1, 0, 0, SKIP), ("A", -1, 0, 270, "r0"))
    assert (city.scores, city.supply) == ([4, 0], [7, 7])
    assert (road.scores, road.supply) == ([0, 3], [7, 7])


def test_unfinished_roads_and_monasteries_pay_a_point_a_tile() -> None:
    road = Script(("U", 1, 0, 90, "r0"), ("U", 2, 0, 90, SKIP))
    assert road.breakdown == [(0, "road", 3)]
    assert Script(*MONASTERY[:5]).breakdown == [(0, "monastery", 6)]


def test_an_unfinished_city_pays_a_point_a_tile_and_a_pennant() -> None:
    assert Script(("F", 0, -1, 90, "c0")).state.count() == [
        {"seat": 0, "reason": "city", "points": 3, "detail": {"tiles": 2, "pennants": 1}}
    ]


def test_the_majority_takes_an_unfinished_city_alone() -> None:
    game = Script(
        ("R", 0, -1, 180, "c0"),
        ("K", 1, 0, 0, "c0"),
        ("R", 1, -1, 180, SKIP),
    )
    assert game.breakdown == [(0, "city", 4), (1, "city", 4)]
    most = Script(
        ("R", 0, -1, 180, "c0"),
        ("K", 1, 0, 0, "c0"),
        ("J", -1, 0, 0, "c0"),
        ("B", 0, 1, 0, SKIP),
        ("R", 1, -1, 180, SKIP),
        ("B", 0, 2, 0, SKIP),
        ("R", -1, -1, 180, SKIP),
    )
    assert most.breakdown == [(0, "city", 6)]
    assert most.supply == [5, 6]


FARM = (
    ("E", 0, -1, 180, "f0"),
    ("E", 0, -2, 0, SKIP),
    ("E", 0, -3, 180, SKIP),
    ("E", 1, -1, 90, SKIP),
    ("E", 2, -1, 270, SKIP),
)
"""A farm between completed cities: one, then from the third tile on two, then three."""


@pytest.mark.parametrize(("turns", "points"), [(1, 3), (2, 3), (3, 6), (4, 6), (5, 9)])
def test_a_farm_pays_three_for_each_completed_city_and_nothing_for_others(
    turns: int, points: int
) -> None:
    assert Script(*FARM[:turns]).breakdown == [(0, "farm", points)]


# -- what is legal (rules 2, turns 1 to 3) ------------------------------------------------------


def test_the_smallest_of_the_rotations_that_look_alike_is_the_only_legal_one() -> None:
    game = Script(drawn_last="U")
    assert {move["rotation"] for move in game.state.legal_moves()} == {90}
    game = Script(drawn_last="B")
    assert game.state.legal_moves() == [{"type": "place_tile", "x": 0, "y": 1, "rotation": 0}]


def test_a_segment_whose_feature_holds_a_follower_is_closed_to_its_owner_too() -> None:
    game = Script(("U", 1, 0, 90, "r0"), ("B", 0, 1, 0, SKIP), ("U", 2, 0, 90, SKIP))
    assert game.options == [["r0", "f0", "f1"], ["m0", "f0"], ["f0", "f1"]]


def test_no_follower_is_asked_for_where_none_may_be_placed() -> None:
    game = Script(("R", 0, -1, 180, "c0"), ("C", 1, -1, 0, SKIP))
    assert game.options[1] is None


def test_seats_play_in_turn_from_seat_0() -> None:
    game = Script(*[("U", x, 0, 90, SKIP) for x in range(1, 6)], seats=3)
    assert [fact["seat"] for fact in game.told("tile_placed")] == [0, 1, 2, 0, 1]


def test_facts_say_what_a_move_led_to() -> None:
    game = Script(("F", 0, -1, 90, "c0"), ("E", 0, -2, 180, SKIP), drawn_last="C")
    detail = {"tiles": 3, "pennants": 1}
    assert game.facts[1] == [
        {"type": "tile_placed", "seat": 1, "tile": "E", "x": 0, "y": -2, "rotation": 180},
        {"type": "feature_completed", "feature": "city", **detail},
        {"type": "points", "seat": 0, "points": 8, "reason": "city", **detail},
        {"type": "follower_returned", "seat": 0, "x": 0, "y": -1, "segment": "c0"},
        {"type": "tile_set_aside", "tile": "C"},
        {"type": "play_over"},
    ]
