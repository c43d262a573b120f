"""Moves and positions as numbers: the table of actions, the tensors, the chance of the setup."""

from __future__ import annotations

import copy
import random
from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest

from cartulary.engine.canonical import canonical_hash
from cartulary.engine.chance import RandomSource, RecordedSource
from cartulary.engine.coded import size_of
from cartulary.engine.core import Game, State
from cartulary.engine.errors import (
    ChanceError,
    InvalidArray,
    InvalidOption,
    InvalidSeats,
    NotCoded,
    UnknownAction,
)
from tests.engine.random_play import mutations, positions
from tests.support.games import ALL_GAMES, COMPLETE
from tests.support.night import short_or_long

ACTIONS = {
    "carcassonne": (1, 40_908, "f99c3e51c2f52ef72a7880e37144aa66b3660de8e9aceeedb776bb4f4badc830"),
    "caylus": (1, 594, "0b247dd8279498f9cec453c38b490996bb659d6ec110d171f7f37a7d4cb17084"),
}
"""By game: version, number and fingerprint of its actions."""

TENSORS = {
    "carcassonne": (1, 3_550, "dc9460bca76a5eaa9d4b22b40c2a64d1e4560ebf9a201c5cc98e180835bd0bb8"),
    "caylus": (1, 1_909, "9c32680a856b7c42c4a61e21d34d1f779e8474d820e2dcf8d032281724643e8c"),
}
"""By game: version, size and hash of the layout of its tensor."""

CHANGED = "a model that has learned the old form cannot read this one: raise the version"


def variants(game: Game) -> list[dict[str, Any]]:
    """Return every choice of all options of a game."""
    names = [option.name for option in game.options]
    chosen = product(*(option.values for option in game.options))
    return [dict(zip(names, values, strict=True)) for values in chosen]


CASES = [
    (name, seats, options)
    for name in COMPLETE
    for seats in range(ALL_GAMES[name].seats_from, ALL_GAMES[name].seats_to + 1)
    for options in variants(ALL_GAMES[name])
]


def random_positions(name: str, seats: int, options: dict[str, Any]) -> Iterator[State[Any]]:
    for seed in range(short_or_long(1, 40)):
        yield from positions(ALL_GAMES[name], seats, options, seed)


def tensor_of(game: Game, state: State[Any], seat: int) -> array[float]:
    out = array("f", [-1.0]) * size_of(game.tensor_planes())
    state.tensor(seat, out)
    return out


@pytest.mark.parametrize("name", COMPLETE)
def test_a_table_of_actions_changes_with_its_version_only(name: str) -> None:
    game = ALL_GAMES[name]
    actions = game.actions({})
    assert game.actions_version == actions.actions_version
    assert (actions.actions_version, len(actions), actions.fingerprint()) == ACTIONS[name], CHANGED


@pytest.mark.parametrize("name", COMPLETE)
def test_a_layout_of_tensors_changes_with_its_version_only(name: str) -> None:
    game = ALL_GAMES[name]
    planes = game.tensor_planes()
    layout = canonical_hash([[p.name, p.start, list(p.shape), p.text] for p in planes])
    assert (game.tensor_version, size_of(planes), layout) == TENSORS[name], CHANGED


@pytest.mark.parametrize("name", COMPLETE)
def test_every_code_leads_to_one_move_and_back(name: str) -> None:
    actions = ALL_GAMES[name].actions()
    assert [actions.code(move) for move in actions] == [*range(len(actions))]


@pytest.mark.parametrize("name", COMPLETE)
def test_one_table_serves_all_options(name: str) -> None:
    game = ALL_GAMES[name]
    tables = {game.actions(options).fingerprint() for options in variants(game)}
    assert len(tables) == 1
    with pytest.raises(InvalidOption):
        game.actions({"colour": "red"})


@pytest.mark.parametrize(("name", "seats", "options"), CASES)
def test_every_legal_move_has_a_code_in_the_order_of_moves(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    actions = ALL_GAMES[name].actions(options)
    for state in random_positions(name, seats, options):
        codes = state.codes()
        assert [actions.move(code) for code in codes] == state.legal_moves()
        assert len({*codes}) == len(codes) == len(state.moves())
        assert bool(codes) == (state.seat >= 0)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_mask_marks_the_legal_codes(name: str) -> None:
    actions = ALL_GAMES[name].actions()
    for state in random_positions(name, 2, {}):
        mask = actions.mask(state.codes())
        assert len(mask) == len(actions)
        assert [code for code, legal in enumerate(mask) if legal] == sorted(state.codes())


@pytest.mark.parametrize("name", COMPLETE)
def test_what_is_no_move_has_no_code(name: str) -> None:
    actions = ALL_GAMES[name].actions()
    known = {canonical_hash(move) for move in actions}
    for state in random_positions(name, 2, {}):
        for move in state.legal_moves()[:2]:
            for other in mutations(move):
                if canonical_hash(other) not in known:
                    with pytest.raises(UnknownAction):
                        actions.code(other)
    far = {"type": "place_tile", "x": 400, "y": 0, "rotation": 0}
    others: list[Any] = [None, [], "pass", 3, {}, far]
    for wrong in others:
        with pytest.raises(UnknownAction):
            actions.code(wrong)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_code_out_of_range_has_no_move(name: str) -> None:
    actions = ALL_GAMES[name].actions()
    others: list[Any] = [-1, len(actions), 10**30, 1.0, "1", None, True]
    for wrong in others:
        with pytest.raises(UnknownAction, match=f"from 0 to {len(actions) - 1}"):
            actions.move(wrong)


@pytest.mark.parametrize(("name", "seats", "options"), CASES)
@pytest.mark.slow
def test_a_tensor_says_what_the_identity_says_and_no_more(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    game = ALL_GAMES[name]
    seen: dict[bytes, str] = {}
    shown: dict[str, bytes] = {}
    for state in random_positions(name, seats, options):
        if state.seat >= 0:
            floats = tensor_of(game, state, 0).tobytes()
            identity = state.state_hash()
            assert seen.setdefault(floats, identity) == identity
            assert shown.setdefault(identity, floats) == floats


@pytest.mark.parametrize("name", COMPLETE)
def test_a_tensor_does_not_depend_on_how_the_position_came_about(name: str) -> None:
    game = ALL_GAMES[name]
    for number, state in enumerate(random_positions(name, 3, {})):
        if number % 9 == 0:
            again = game.load(state.dump())
            for seat in range(3):
                assert tensor_of(game, again, seat) == tensor_of(game, state, seat)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_tensor_counts_the_seats_from_the_one_that_looks(name: str) -> None:
    game = ALL_GAMES[name]
    turn = next(p for p in game.tensor_planes() if p.name in ("turn", "seat"))
    for state in random_positions(name, 4, {}):
        if state.seat >= 0:
            for seat in range(4):
                one = tensor_of(game, state, seat)[turn.start : turn.start + turn.size]
                assert one.index(1.0) == (state.seat - seat) % 4
                assert sum(one) == 1.0


@pytest.mark.parametrize("name", COMPLETE)
def test_an_array_that_does_not_fit_is_refused_and_nothing_is_written(name: str) -> None:
    game = ALL_GAMES[name]
    state = next(iter(random_positions(name, 2, {})))
    size = size_of(game.tensor_planes())
    right = array("f", bytes(4 * size))
    for wrong in (
        array("f", bytes(4 * size - 4)),
        array("d", bytes(8 * size)),
        bytearray(4 * size),
        memoryview(right).toreadonly(),
        memoryview(right)[::-1],
        [0.0] * size,
        None,
    ):
        with pytest.raises(InvalidArray):
            state.tensor(0, wrong)
    for seat in (-1, 2, 1.0, None, "0"):
        with pytest.raises(InvalidSeats):
            state.tensor(seat, right)
    assert not any(right)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_deep_copy_is_independent(name: str) -> None:
    game = ALL_GAMES[name]
    source = RandomSource(random.Random(1))
    state = game.new(2, {}, game.draw_setup(2, {}, random.Random(1)))
    state.settle(source)
    before = state.codes(), tensor_of(game, state, 0)
    twin = copy.deepcopy([state])[0]
    while not twin.over:
        twin.play(twin.moves()[0])
        twin.settle(source)
    assert (state.codes(), tensor_of(game, state, 0)) == before
    assert twin.codes() == []


def draws(name: str, seats: int, seed: int) -> tuple[list[str], dict[str, Any]]:
    chance = ALL_GAMES[name].setup_chance(seats, {})
    outcomes = chance.settle(RandomSource(random.Random(seed)))
    return outcomes, chance.setup


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("seats", [2, 5])
def test_the_drawn_setup_is_one_that_the_game_takes(name: str, seats: int) -> None:
    outcomes, setup = draws(name, seats, 1)
    game = ALL_GAMES[name]
    assert game.new(seats, {}, setup).seats == seats
    again = game.setup_chance(seats, {})
    assert again.settle(RecordedSource(outcomes)) == outcomes
    assert again.setup == setup


def test_every_turn_order_is_drawn_equally_often() -> None:
    orders = Counter(tuple(draws("caylus", 3, seed)[1]["turn_order"]) for seed in range(600))
    assert {*orders} == {*permutations(range(3))}
    assert min(orders.values()) > 60


def test_a_setup_asks_for_nothing_that_is_left_alone() -> None:
    chance = ALL_GAMES["caylus"].setup_chance(2, {})
    assert chance.chance is not None
    assert (chance.chance.kind, [*chance.chance.outcomes]) == ("turn_order", ["0", "1"])
    with pytest.raises(ChanceError):
        _ = chance.setup
    twin = copy.deepcopy(chance)
    twin.resolve("1")
    assert twin.chance is not None
    assert twin.chance.kind == "neutrals"
    assert chance.chance.kind == "turn_order"
    with pytest.raises(ChanceError):
        twin.resolve("1")
    assert ALL_GAMES["carcassonne"].setup_chance(2, {}).chance is None


def test_an_outcome_is_drawn_once_and_never_after_the_last() -> None:
    chance = ALL_GAMES["caylus"].setup_chance(3, {})
    chance.resolve("2")
    with pytest.raises(ChanceError, match="has been drawn"):
        chance.resolve("2")
    chance.settle(RandomSource(random.Random(1)))
    with pytest.raises(ChanceError, match="complete"):
        chance.resolve("0")


def test_a_game_without_a_table_says_so() -> None:
    game = ALL_GAMES["tictactoe"]
    state = game.new(2, {}, {})
    with pytest.raises(NotCoded):
        game.actions()
    with pytest.raises(NotCoded):
        game.tensor_planes()
    with pytest.raises(NotCoded):
        game.setup_chance(2, {})
    with pytest.raises(NotCoded):
        state.codes()
    with pytest.raises(NotCoded):
        state.tensor(0, array("f"))
