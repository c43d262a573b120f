"""The leaves of a search: what a seat holds as numbers, and what tables make of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from cartulary.bots.caylus.features import NAMES, list_features
from cartulary.bots.caylus.leaf import (
    KNOT,
    KNOTS,
    MOST_STEPS,
    UNIT,
    LearnedLeaf,
    Rate,
    Tables,
    count_steps,
    spread,
)
from cartulary.bots.caylus.search import choose_moves, think
from cartulary.bots.caylus.tree import think_deeply
from cartulary.bots.thought import Budget, Thought
from cartulary.engine.caylus.buildings import TILE_NUMBER
from cartulary.engine.caylus.goods import GOOD_NAMES, KINDS
from cartulary.engine.caylus.places import BUILDING_SPACES
from cartulary.engine.caylus.state import CaylusState
from tests.bots.caylus.test_search import middle_of_a_game


def weigh_one(name: str, weight: int) -> Tables:
    """Tables in which one feature alone has a weight."""
    row = tuple([weight if one == name else 0 for one in NAMES])
    cells = [(seats, favours) for seats in range(2, 6) for favours in ("table", "simplified")]
    return dict.fromkeys(cells, (row,) * KNOTS)


def test_every_feature_has_a_name_of_its_own() -> None:
    assert max(Counter(NAMES).values()) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_seat_has_every_feature_as_a_whole_number(seats: int) -> None:
    rows = list_features(middle_of_a_game(seats, 4))
    assert [len(row) for row in rows] == [len(NAMES)] * seats
    assert {type(one) for row in rows for one in row} == {int}


def test_features_say_what_a_seat_holds() -> None:
    state = middle_of_a_game(2, 6)
    for seat, row in enumerate(list_features(state)):
        found = dict(zip(NAMES, row, strict=True))
        purse = state.goods[KINDS * seat : KINDS * (seat + 1)]
        held = dict(zip(GOOD_NAMES, purse, strict=True))
        assert {name: found[name] for name in held} == held
        assert found["score"] == state.scores[seat]
        houses = sum(found[f"houses_{name}"] for name in ("dungeon", "walls", "towers"))
        assert houses == sum(state.houses[2 * n + seat] for n in range(state.scored, 3))


def test_a_building_counts_for_its_owner_alone() -> None:
    state = middle_of_a_game(2, 3)
    before = list_features(state)
    space = next(space for space in BUILDING_SPACES if not state.building[space])
    state.building[space], state.owner[space] = TILE_NUMBER["mason"], 1
    rows = list_features(state)
    mason = NAMES.index("mason")
    before[1][mason] += 1
    assert rows == before


def test_rows_lie_on_the_line_between_their_knots() -> None:
    rows = [(0, 60), (12, 0), (24, 60), (36, 0)]
    found = spread(rows)
    assert len(found) == MOST_STEPS + 1
    assert [found[KNOT * knot] for knot in range(KNOTS)] == rows
    assert found[KNOT // 2] == (6, 30)
    assert [row[0] for row in found] == [*range(0, 37, 2)]


def test_points_alone_rate_a_position_by_its_scores() -> None:
    state = middle_of_a_game(3, 6)
    assert LearnedLeaf(weigh_one("score", UNIT)).rate(state) == state.scores


def test_the_end_of_the_game_is_rated_by_the_final_scores() -> None:
    end = middle_of_a_game(2, 3)
    while not end.over:
        end.play(end.moves()[-1])
    assert LearnedLeaf(weigh_one("score", -UNIT)).rate(end) == end.final().scores
    assert count_steps(end) >= 0


@pytest.mark.parametrize("search", [think, think_deeply])
def test_a_search_rates_the_ends_of_its_samples_by_its_leaf(search: Callable[..., Thought]) -> None:
    state = middle_of_a_game(2, 4)
    asked = list[CaylusState]()

    def leaf(decision: CaylusState) -> Rate:
        asked.append(decision)
        return lambda position: [7.0 if seat == state.seat else 0.0 for seat in range(2)]

    thought = search(state, random.Random(1), Budget(4), leaf=leaf)
    assert asked == [state]
    assert {value.margin for value in thought.values} == {7.0}


@pytest.mark.parametrize("sign", [1, -1])
def test_the_move_whose_end_the_leaf_likes_best_is_taken(sign: int) -> None:
    state = middle_of_a_game(2, 4)
    ends = list[CaylusState]()

    def rate(position: CaylusState) -> list[float]:
        ends.append(position)
        return [float(sign * len(ends)) if seat == state.seat else 0.0 for seat in range(2)]

    best_first = choose_moves(state, random.Random(1), 4)
    thought = think(state, random.Random(1), Budget(4), leaf=lambda _: rate)
    assert [value.move for value in thought.values] == best_first[::-sign]
