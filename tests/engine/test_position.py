"""A position gives its state back, and nothing else does."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine.canonical import canonical_hash, identical
from cartulary.engine.chance import RandomSource
from cartulary.engine.errors import PositionError
from cartulary.games import GAMES
from tests.engine.random_play import positions

Json = dict[str, Any]


def write(game: str, seats: int, options: Json, seed: int, steps: int) -> tuple[Any, Json]:
    """Return a state of a random game and its position, which has been written as text."""
    rules = GAMES[game]
    state = None
    for number, state in enumerate(positions(rules, seats, rules.check(seats, options), seed)):
        if number >= steps and state.chance is None:
            break
    assert state is not None
    return state, json.loads(json.dumps(rules.write_position(state, ["V"])))


@st.composite
def wishes(draw: st.DrawFn) -> tuple[str, int, Json]:
    rules = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    seats = draw(st.integers(rules.seats_from, rules.seats_to))
    options = {one.name: draw(st.sampled_from(one.values)) for one in rules.options}
    return rules.name, seats, options


@given(wishes(), st.integers(0, 10**6), st.integers(0, 400))
@settings(max_examples=40, deadline=None)
def test_a_position_gives_the_state_back_which_plays_on_alike(
    wish: tuple[str, int, Json], seed: int, steps: int
) -> None:
    game, seats, options = wish
    state, position = write(game, seats, options, seed, steps)
    again = GAMES[game].from_position(position)
    assert again.state_hash() == state.state_hash() == position["state_hash"]
    assert position["kept"] == ["V"]
    ours, theirs = state.copy(), again
    lots = random.Random(seed)
    sources = [RandomSource(random.Random(seed)) for _ in range(2)]
    for _ in range(12):
        assert ours.legal_moves() == theirs.legal_moves()
        if ours.over:
            assert theirs.final() == ours.final()
            break
        move = lots.choice(ours.legal_moves())
        assert ours.apply(move, sources[0]) == theirs.apply(move, sources[1])
    assert ours.state_hash() == theirs.state_hash()


@pytest.fixture(scope="module")
def good() -> dict[str, Json]:
    return {name: write(name, 3, {}, 7, 60)[1] for name in GAMES}


def change(path: str, value: Any) -> Callable[[Json], None]:
    *parents, last = path.split(".")

    def apply(position: Json) -> None:
        for part in parents:
            position = position[part]
        position[last] = value

    return apply


FAULTS: dict[str, Callable[[Json], Any]] = {
    "unknown form": change("form", 2),
    "form of another type": change("form", True),
    "another game": change("game", "chess"),
    "seats out of range": change("seats", 9),
    "other seats": change("seats", 4),
    "seats of another type": change("seats", "3"),
    "unknown option": change("options.x", 1),
    "tampered scores": change("state.dump.scores", [99, 0, 0]),
    "scores of another type": change("state.dump.scores", [1.5, 0, 0]),
    "too few scores": change("state.dump.scores", [0]),
    "state is a list": change("state", []),
    "an empty state": change("state", {}),
    "more in the state": change("state.more", 1),
    "null": change("state.dump.kind", None),
    "unknown question": change("state.dump.kind", "sing"),
    "huge number": change("state.dump.scores", [10**30, 0, 0]),
    "long text": change("state.dump.kind", "x" * 1000),
    "many values": change("kept", ["V"] * 30_000),
    "outcomes of another type": change("kept", [1]),
    "another hash": change("state_hash", "0" * 64),
    "hash of another type": change("state_hash", None),
    "tampered view": change("state.view.scores", [1, 2, 3]),
    "no dump": lambda position: position["state"].pop("dump"),
    "a key is missing": lambda position: position.pop("kept"),
    "a key more": change("more", 1),
}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_no_position_of_the_game_is_refused(good: dict[str, Json], game: str) -> None:
    taken = []
    for name, spoil in FAULTS.items():
        position = copy.deepcopy(good[game])
        spoil(position)
        try:
            GAMES[game].from_position(position)
        except PositionError:
            continue
        taken.append(name)
    assert taken == []


@pytest.mark.parametrize("value", [None, [], "position", 1, {"form": 1}])
def test_what_is_no_object_with_the_keys_is_refused(value: Any) -> None:
    with pytest.raises(PositionError, match="exactly the keys"):
        GAMES["caylus"].from_position(value)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_dump_with_one_other_value_is_refused_and_breaks_nothing(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(sorted(GAMES)))
    _, position = write(game, 3, {}, 7, 60)
    state = position["state"]
    key = data.draw(st.sampled_from(sorted(state["dump"])))
    value = data.draw(
        st.one_of(st.none(), st.integers(-(10**6), 10**6), st.text(max_size=5), st.just([[1]]))
    )
    dump = {**state["dump"], key: value}
    if identical(dump, state["dump"]):
        return
    with pytest.raises(PositionError, match="hash that comes with it"):
        GAMES[game].from_position({**position, "state": {**state, "dump": dump}})
    # With a hash that was computed again nothing but a refusal or a state comes out either.
    forged = {**state, "dump": dump, "dump_hash": canonical_hash(dump)}
    try:
        again = GAMES[game].from_position({**position, "state": forged})
    except PositionError:
        return
    assert again.state_hash() == position["state_hash"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_dump_of_another_position_does_not_fit_the_words(game: str) -> None:
    (_, here), (_, there) = (write(game, 3, {}, 7, steps) for steps in (40, 60))
    for key in ("dump", "dump_hash"):
        here["state"][key] = there["state"][key]
    with pytest.raises(PositionError, match="does not belong"):
        GAMES[game].from_position(here)


def forge(position: Json, **changes: Any) -> Json:
    """Return a position with another dump, and with both hashes and the words made to fit it."""
    dump = {**position["state"]["dump"], **changes}
    try:
        words = json.loads(json.dumps(GAMES[position["game"]].load(dump).identity()))
    except (LookupError, TypeError, ValueError):
        words = {key: one for key, one in position["state"].items() if not key.startswith("dump")}
    state = {**words, "dump": dump, "dump_hash": canonical_hash(dump)}
    return {**position, "state": state, "state_hash": canonical_hash(words)}


def without(values: list[int], place: int, value: int) -> list[int]:
    return [*values[:place], value, *values[place + 1 :]]


FORGERIES: dict[str, dict[str, Callable[[Json], Json]]] = {
    "caylus": {
        "a seat twice in the order": lambda one: {"turn_order": [0, 0, 1]},
        "a missing seat in the order": lambda one: {"turn_order": [0, 1]},
        "a negative score": lambda one: {"scores": without(one["scores"], 0, -1)},
        "a truth value": lambda one: {"round": True},
        "a worker of no seat": lambda one: {"worker": without(one["worker"], 13, 5)},
        "a worker too many": lambda one: {"workers": without(one["workers"], 0, 6)},
        "an owner of no seat": lambda one: {"owner": without(one["owner"], 5, 7)},
        "a building that is unknown": lambda one: {"building": without(one["building"], 6, -2)},
        "an own building that stands nowhere": lambda one: {"own": without(one["own"], 1, 2)},
        "a batch of a seat that is not at the castle": lambda one: {"batches": [9, 9, 9]},
        "a place less": lambda one: {"worker": one["worker"][:-1]},
        "no seat has passed after the placing": lambda one: {"phase": 3, "passed": []},
        "the provost left the road": lambda one: {"provost": 29},
        "a favour of no seat": lambda one: {"stack": [[9, "favour", "castle"]]},
        "a trillion seats": lambda one: {"seats": 1 << 40},
    },
    "carcassonne": {
        "a score less": lambda one: {"scores": one["scores"][:-1]},
        "a negative score": lambda one: {"scores": without(one["scores"], 0, -1)},
        "less than no tiles": lambda one: {"bag": without(one["bag"], 0, -1)},
        "a letter more": lambda one: {"bag": [*one["bag"], 1]},
        "a follower on another feature": lambda one: {
            "pieces": [[node, seat, "castle"] for node, seat, _ in one["pieces"]]
        },
        "a follower of no seat": lambda one: {
            "pieces": [[node, 7, kind] for node, _, kind in one["pieces"]]
        },
        "a turn of no seat": lambda one: {"turn": 3},
        "an unknown question": lambda one: {"kind": 0},
        "a trillion seats": lambda one: {"seats": 1 << 40},
    },
}


@pytest.mark.parametrize(
    ("game", "forgery"), [(game, one) for game, found in FORGERIES.items() for one in found]
)
def test_a_position_that_was_forged_with_both_hashes_is_refused_before_it_can_fail(
    good: dict[str, Json], game: str, forgery: str
) -> None:
    changes = FORGERIES[game][forgery](good[game]["state"]["dump"])
    if "seats" in changes:
        # Reading it would need more memory than there is: it must be refused before.
        dump = {**good[game]["state"]["dump"], **changes}
        state = {**good[game]["state"], "dump": dump, "dump_hash": canonical_hash(dump)}
        forged = {**good[game], "state": state}
    else:
        forged = forge(good[game], **changes)
    with pytest.raises(PositionError, match="does not belong"):
        GAMES[game].from_position(forged)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_forgery_that_changes_nothing_is_the_position_itself(
    good: dict[str, Json], game: str
) -> None:
    assert GAMES[game].from_position(forge(good[game])).state_hash() == good[game]["state_hash"]
