"""Questions and answers of the explorer: what is alike, what differs, what a key looks like."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import State
from cartulary.engine.errors import IllegalMove
from cartulary.explorer.questions import ask, find_answer, find_wide, group_moves, is_key
from cartulary.games import GAMES
from tests.support.games import ALL_GAMES


def start(game: str, seats: int, seed: int) -> State[Any]:
    rules, rng = ALL_GAMES[game], random.Random(seed)
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, RandomSource(rng)))
    state.settle(RandomSource(rng))
    return state


def walk(game: str, seats: int, seed: int) -> Iterator[State[Any]]:
    """Each position of a random game in which a seat decides."""
    state, rng = start(game, seats, seed), random.Random(seed)
    while not state.over:
        yield state
        state.play(rng.choice(state.moves()))
        state.settle(RandomSource(rng))


def lay(*tiles: str) -> State[Any]:
    """A game of Carcassonne for two that draws these tiles, with no follower placed."""
    rules = GAMES["carcassonne"]
    options = rules.check(2, {})
    setup = rules.setup_of_transcript({}, list(tiles), {})
    state = rules.new(2, options, setup)
    state.resolve(tiles[0])
    return state


@pytest.mark.parametrize("game", ALL_GAMES)
def test_each_question_has_a_key_and_an_answer_for_each_move(game: str) -> None:
    for state in walk(game, ALL_GAMES[game].seats_from, 3):
        question = ask(game, state)
        assert all(is_key(key) for key in question.keys), question
        assert len(question.answers) == len(state.moves())
        assert all(question.answers)
        moves = group_moves(question, state)
        assert [move for found in moves.values() for move in found] != []
        answer, (move, *_) = next(iter(moves.items()))
        assert find_answer(question, state, move) == answer


def test_a_question_changes_nothing_in_the_state() -> None:
    for state in walk("carcassonne", 2, 5):
        before = state.state_hash()
        ask("carcassonne", state)
        assert state.state_hash() == before


def test_an_illegal_move_is_no_answer() -> None:
    state = start("caylus", 3, 1)
    with pytest.raises(IllegalMove):
        find_answer(ask("caylus", state), state, {"type": "place_worker", "space": "road-40"})


def test_an_answer_says_whose_city_a_tile_joins_and_whether_it_is_complete() -> None:
    state = lay("E", "E", "E")
    question = ask("carcassonne", state)
    assert question.wide == "place_tile/E/end/many-followers"
    assert set(question.answers) == {"city-free-closed", "fields"}
    state.apply({"type": "place_tile", "x": 0, "y": 1, "rotation": 180}, RandomSource())
    assert set(ask("carcassonne", state).answers) == {"city", "field", "skip"}
    state.play(state.find({"type": "place_follower", "segment": "c0"}))
    state.resolve("E")
    assert "city-other-closed" in ask("carcassonne", state).answers


def test_on_each_side_of_the_table_the_same_gap_is_the_same_answer() -> None:
    state = lay("U")
    moves = group_moves(ask("carcassonne", state), state)
    assert sorted(moves) == ["fields", "road-free"]
    assert [(move["x"], move["y"]) for move in moves["road-free"]] == [(1, 0), (-1, 0)]


def test_in_caylus_the_place_in_turn_order_and_the_worker_matter() -> None:
    state = start("caylus", 5, 2)
    keys = []
    for _ in range(6):
        keys.append(ask("caylus", state).wide)
        state.play(state.moves()[1])
    assert keys == [
        *(f"place_worker/round-1/seat-{seat}/worker-1" for seat in (1, 2, 3, 4, 5)),
        "place_worker/round-1/seat-1/worker-2",
    ]


def test_in_the_first_round_the_road_is_known_by_its_buildings_not_by_their_order() -> None:
    found = set()
    for seed in range(6):
        state = start("caylus", 3, seed)
        moves = group_moves(ask("caylus", state), state)
        state.play(state.find(moves["neutral-farm"][0]))
        found.add(ask("caylus", state).narrow)
    assert len(found) == 1
    other = start("caylus", 3, 0)
    other.play(other.find(group_moves(ask("caylus", other), other)["castle"][0]))
    assert ask("caylus", other).narrow not in found


def test_a_narrow_key_begins_with_its_wide_key() -> None:
    question = ask("caylus", start("caylus", 2, 1))
    assert question.narrow is not None
    assert find_wide(question.narrow) == question.wide == find_wide(question.wide)


@pytest.mark.parametrize(
    "text", ["", "/", "a//b", "a/~", "a/~xyz", "a b", "é", "a/" * 8 + "a", "a" * 200, "../x", "a\n"]
)
def test_an_invalid_key_is_recognised(text: str) -> None:
    assert not is_key(text)
