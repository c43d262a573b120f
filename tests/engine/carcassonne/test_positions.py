"""Copies, snapshots and crowds: positions of Carcassonne that random play seldom reaches."""

from __future__ import annotations

import json

import pytest

from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.chance import RecordedSource
from tests.engine.carcassonne.script import SKIP, Script

CAP = ("E", 0, -1, 180, SKIP)
"""Closes the city of the start tile: no C, whose four sides are city, fits any more."""

MEADOW = [("B", x, 1, 0, SKIP) for x in range(4)] + [("E", x, 2, 180, SKIP) for x in range(4)]
"""South of the road of the start tile one field: a segment on each of nine tiles."""


def reload(state: CarcassonneState) -> CarcassonneState:
    """Return the state that the snapshot gives, through the text that is stored."""
    return Carcassonne().load(json.loads(json.dumps(state.dump())))


def on_the_meadow(*farmers: int) -> CarcassonneState:
    """Return a position in which so many farmers of each seat share one field.

    Players get there by joining fields that are apart, which takes many tiles; a snapshot is quick.
    """
    state = Script(*MEADOW).state
    assert isinstance(state, CarcassonneState)
    field = state.features.root(len(state.features.parent) - 1)
    nodes = [n for n in range(len(state.features.parent)) if state.features.root(n) == field]
    dump = state.dump()
    dump["pieces"] = [
        [nodes.pop(), seat, "field"] for seat, count in enumerate(farmers) for _ in range(count)
    ]
    return reload(Carcassonne().load(dump))


@pytest.mark.parametrize(
    ("farmers", "winners"),
    [
        ((3, 4), [1]),
        ((4, 3), [0]),
        ((4, 4), [0, 1]),
        ((5, 4), [0]),
        ((1, 5), [1]),
        ((2, 6), [1]),
        ((7, 2), [0]),
        ((0, 7), [1]),
    ],
)
def test_the_seat_with_most_followers_has_the_majority_however_many_they_are(
    farmers: tuple[int, ...], winners: list[int]
) -> None:
    state = on_the_meadow(*farmers)
    assert [(e["seat"], e["reason"]) for e in state.count()] == [(s, "farm") for s in winners]
    assert state.supply == [7 - count for count in farmers]


def test_a_reloaded_snapshot_remembers_the_tiles_set_aside() -> None:
    state = Script(CAP, drawn_last="CU").state
    assert isinstance(state, CarcassonneState)
    assert reload(state).view()["discarded"] == ["C"]


def test_a_tile_set_aside_in_a_copy_is_not_set_aside_in_the_original() -> None:
    state = Carcassonne().new(2, {}, {"bag": {"E": 1, "C": 1, "U": 1}})
    state.settle(RecordedSource(["E"]))
    copy = state.copy()
    for each, drawn in ((state, "U"), (copy, "C")):
        each.play(each.find({"type": "place_tile", "x": 0, "y": -1, "rotation": 180}))
        each.play(each.find({"type": "skip_follower"}))
        each.resolve(drawn)
    assert (state.view()["discarded"], copy.view()["discarded"]) == ([], ["C"])


def test_a_copy_shares_no_list_that_play_changes() -> None:
    state = Script(CAP, drawn_last="CU").state
    assert state.moves()
    copy = state.copy()
    shared = {
        name
        for name in dir(state)  # the compiled form has no `__slots__`
        if not name.startswith("__")
        and isinstance(getattr(state, name), (list, dict))
        and getattr(state, name) is getattr(copy, name)
    }
    assert shared == {"legal", "options"}, "`legal` is replaced as a whole, `options` never change"
