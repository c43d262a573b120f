"""Whatever can change has an id: unique in each picture, the same from picture to picture."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from cartulary.engine.caylus.places import PLACE_IDS
from cartulary.engine.caylus.tables import LINES
from tests.pictures.positions import CARCASSONNE, CAYLUS, Position, walk, with_class

CASES = (CARCASSONNE, CAYLUS, "carcassonne/game-10.json", "caylus/game-06-2p-random.json")
WISHES: tuple[dict[str, Any], ...] = (
    {},
    {"layout": "wide"},
    {"layout": "fit", "parts": "board", "ratio": 1.0},
)


def ids(tree: Element) -> Counter[str]:
    return Counter(name for element in tree.iter() if (name := element.get("id")))


@pytest.mark.parametrize("wish", WISHES, ids=["tall", "wide", "board"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.slow
def test_an_id_is_there_once(case: str, wish: dict[str, Any]) -> None:
    for at in walk(case, 11):
        assert set(ids(at.tree(**wish)).values()) == {1}


def alone(at: Position) -> Element:
    return at.tree(layout="fit", parts="board", ratio=1.0)


@pytest.mark.slow
def test_tiles_and_followers_keep_their_ids_while_they_lie_and_stand() -> None:
    before: dict[str, int] = {}
    for at in walk(CARCASSONNE):
        drawn = ids(alone(at))
        entries = at.view["board"]
        now = {f"k-laid-{e['x']}-{e['y']}" for e in entries}
        now |= {f"k-follower-{e['x']}-{e['y']}" for e in entries if e["follower"]}
        assert now == {name for name in drawn if name.startswith(("k-laid-", "k-follower-"))}
        gone = {name for name in before if name not in drawn and name.startswith("k-laid-")}
        assert gone == set()
        before = drawn


@pytest.mark.slow
def test_workers_buildings_and_markers_keep_their_ids_while_they_stay() -> None:
    before: set[str] = set()
    for at in walk(CAYLUS, 5):
        drawn = set(ids(alone(at)))
        fixed = {f"k-at-{place}" for place in PLACE_IDS if place} | {"k-at-bridge"}
        fixed |= {"k-piece-provost", "k-piece-bailiff"}
        seats = range(len(at.view["players"]))
        fixed |= {f"k-favour-{line}-{seat}" for line in LINES for seat in seats}
        assert fixed <= drawn
        workers = {name for name in drawn if name.startswith("k-worker-")}
        assert workers == standing(at.view)
        houses = sum(sum(part["houses"]) for part in at.view["sections"].values())
        assert len([name for name in drawn if name.startswith("k-house-")]) == houses + SYMBOLS
        stay = {f"k-building-{name}" for name in at.view["stock"]}
        stay |= {
            f"k-building-{entry['building']}"
            for entry in at.view["road"]
            if entry["building"] not in (None, "residence")
        }
        assert stay <= drawn
        assert {name for name in before if name.startswith("k-house-")} <= drawn
        before = drawn


SYMBOLS = 5
"""Icons of houses: of four kinds of building, and of an owner."""


def standing(view: dict[str, Any]) -> set[str]:
    """Return the ids of all workers on the board."""
    held = {name: view[name] for name in ("gate", "trading_post", "merchants_guild", "joust_field")}
    held |= {"inn-left": view["inn"]["left"], "inn-right": view["inn"]["right"]}
    held |= {entry["space"]: entry["worker"] for entry in view["road"]}
    found = {f"k-worker-{space}-{seat}" for space, seat in held.items() if seat is not None}
    many = {"stables": view["stables"], "castle": view["castle"], "bridge": view["passed"]}
    return found | {f"k-worker-{space}-{seat}" for space in many for seat in many[space]}


@pytest.mark.slow
def test_the_last_tile_of_each_player_is_marked() -> None:
    laid: dict[int, tuple[int, int]] = {}
    for at in walk(CARCASSONNE):
        move = at.last_move and at.last_move["move"]
        if move and move["type"] == "place_tile":
            laid[at.last_move["seat"]] = (move["x"], move["y"])  # type: ignore[index]
        marks = with_class(at.tree(), "last-tile")
        shown = {int(mark.attrib["data-seat"]): mark.attrib["transform"] for mark in marks}
        assert shown == {s: f"translate({x * 100} {y * 100})" for s, (x, y) in laid.items()}
    assert len(laid) == 5
