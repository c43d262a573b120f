"""What Carcassonne refuses, and in which words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cartulary.engine.errors import ChanceError, IllegalMove, SetupError
from cartulary.games import GAMES
from tests.engine.carcassonne.script import SKIP, Script

CAP = ("E", 0, -1, 180, SKIP)
"""Closes the city of the start tile: two tiles."""


# -- why a move is illegal ----------------------------------------------------------------------


def place(x: Any, y: Any, rotation: Any, **more: Any) -> dict[str, Any]:
    return {"type": "place_tile", "x": x, "y": y, "rotation": rotation, **more}


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (place(0, 0, 0), "the cell (0, 0) is occupied"),
        (place(5, 5, 0), "the cell (5, 5) is not adjacent to a tile"),
        (place(10**30, 0, 0), "is not adjacent to a tile"),
        (place(1, 0, 0), "field meets road on the west side"),
        (place(0, -1, 90), "field meets city on the south side"),
        (place(1, 0, 270), "looks the same at 270 as at 90"),
        (place(1, 0, 45), "'rotation' must be 0, 90, 180 or 270, not 45"),
        (place(1.0, 0, 90), "'x' must be an integer written without a fraction, not 1.0"),
        (place(True, 0, 90), "'x' must be an integer written without a fraction, not true"),
        (place(1, "0", 90), "'y' must be an integer"),
        (place(1, 0, None), "'rotation' must be an integer"),
        (place(1, 0, 90, tile="U"), 'has no key "tile"'),
        ({"type": "place_tile", "x": 1, "y": 0}, "lacks 'rotation'"),
        ({"type": "skip_follower"}, "the decision is 'place_tile'"),
        ({"type": ["place_tile"]}, "the decision is 'place_tile'"),
        ({}, "the decision is 'place_tile'"),
    ],
)
def test_a_refused_tile_is_explained(move: Any, reason: str) -> None:
    state = Script(drawn_last="U").state
    with pytest.raises(IllegalMove, match=re.escape(reason)) as refused:
        state.find(move)
    assert refused.value.seat == 0
    assert refused.value.kind == "place_tile"
    assert refused.value.legal_moves == state.legal_moves()


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ({"type": "place_follower", "segment": "c0"}, "already holds a follower of seat 0"),
        ({"type": "place_follower", "segment": "m0"}, 'tile E has no segment "m0"; it has c0, f0'),
        ({"type": "place_follower", "segment": {"a": 1}}, "tile E has no segment"),
        ({"type": "place_follower"}, "lacks 'segment'"),
        ({"type": "skip_follower", "segment": "f0"}, 'has no key "segment"'),
        (place(5, 5, 0), "the decision is 'place_follower'"),
    ],
)
def test_a_refused_follower_is_explained(move: Any, reason: str) -> None:
    game = Script(("G", 0, -1, 90, "c0"), drawn_last="E")
    game.state.apply(place(0, -2, 180), game.source)
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        game.state.find(move)


def test_a_move_after_the_end_is_refused() -> None:
    state = Script(CAP).state
    with pytest.raises(IllegalMove, match="the play is over") as refused:
        state.find({"type": "skip_follower"})
    assert refused.value.kind is None


# -- the bag --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setup",
    [
        {"bag": {"Y": 1}},
        {"bag": {"D": 4}},
        {"bag": {"A": -1}},
        {"bag": {"A": True}},
        {"bag": {"A": 1.0}},
        {"bag": ["A"]},
        {"turn_order": [0, 1]},
    ],
)
def test_a_bag_that_the_set_cannot_fill_is_refused(setup: Any) -> None:
    with pytest.raises(SetupError):
        GAMES["carcassonne"].new(2, {}, setup)


def test_an_empty_bag_is_a_game_without_turns() -> None:
    state = GAMES["carcassonne"].new(2, {}, {"bag": {}})
    assert state.over
    assert state.decision is None
    assert state.final().winners == [0, 1]


def test_a_tile_that_is_not_in_the_bag_cannot_be_drawn() -> None:
    state = GAMES["carcassonne"].new(2, {}, {"bag": {"A": 1}})
    for letter in ("B", "", "AA"):
        with pytest.raises(ChanceError):
            state.resolve(letter)
    state.resolve("A")
    with pytest.raises(ChanceError):
        state.resolve("A")
