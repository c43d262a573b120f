"""Every place that a move can name carries its id of the move contract, and can be touched."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

import pytest

from cartulary.engine.caylus.places import PLACE_IDS
from cartulary.engine.caylus.tables import LINES
from tests.pictures.positions import CARCASSONNE, CAYLUS, SVG, Position, position, walk

LAYOUTS = ("tall", "wide")


def attribute(tree: Element, name: str) -> list[str]:
    return [value for element in tree.iter() if (value := element.get(name)) is not None]


def cells(tree: Element) -> Counter[tuple[int, int]]:
    return Counter(
        (int(element.attrib["data-x"]), int(element.attrib["data-y"]))
        for element in tree.iter()
        if "data-x" in element.attrib
    )


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_cell_of_carcassonne_is_there_once(layout: str) -> None:
    for at in walk(CARCASSONNE, 7):
        found = cells(at.tree(layout=layout))
        assert set(found.values()) == {1}
        placed = {(entry["x"], entry["y"]) for entry in at.view["board"]}
        assert placed <= set(found)
        named = {(m["x"], m["y"]) for m in at.legal_moves if m["type"] == "place_tile"}
        assert named <= set(found) - placed


def test_the_segments_of_every_tile_can_be_touched() -> None:
    at = next(p for p in walk(CARCASSONNE) if p.decision and p.decision["kind"] == "place_follower")
    tree = at.tree()
    tiles = [e for e in tree.iter(f"{SVG}g") if "data-tile" in e.attrib]
    assert len(tiles) == len(at.view["board"])
    last = tiles[-1]
    named = {move["segment"] for move in at.legal_moves if move["type"] == "place_follower"}
    assert named <= set(attribute(last, "data-segment"))
    assert last.attrib["data-rotation"] == str(at.view["board"][-1]["rotation"])


def test_touchable_areas_of_the_last_tile_say_what_they_are() -> None:
    last = [e for e in position(CARCASSONNE, 40).tree().iter(f"{SVG}g") if "data-tile" in e.attrib]
    titles = [e.findtext(f"{SVG}title") for e in last[-1].iter() if "data-segment" in e.attrib]
    assert titles
    assert all(title and title.split()[0] in ("city", "road", "field") for title in titles)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_place_of_caylus_is_there_once(layout: str) -> None:
    found = attribute(position(CAYLUS, 100).tree(layout=layout), "data-space")
    assert Counter(found) == Counter(place for place in PLACE_IDS if place)


def named(at: Position, key: str) -> set[str]:
    return {move[key] for move in at.legal_moves if key in move}


@pytest.mark.slow
@pytest.mark.parametrize("case", [CAYLUS, "caylus/game-02-3p-random.json"])
def test_whatever_a_move_of_caylus_names_is_there(case: str) -> None:
    for at in walk(case, 9):
        tree = at.tree()
        assert named(at, "space") <= set(attribute(tree, "data-space"))
        assert named(at, "building") <= set(attribute(tree, "data-building"))
        assert attribute(tree, "data-building") == at.view["stock"]
        assert attribute(tree, "data-line") == list(LINES)


def test_every_place_of_caylus_has_a_title_and_an_area_to_touch_on_top() -> None:
    for element in position(CAYLUS, 100).tree().iter():
        if "data-space" in element.attrib:
            assert element.findtext(f"{SVG}title")
            assert list(element)[-1].get("class") == "k-hit"


def test_followers_do_not_catch_the_touch_of_what_they_stand_on() -> None:
    groups = [e for e in position(CARCASSONNE, 71).tree().iter() if e.get("class") == "followers"]
    assert [group.get("pointer-events") for group in groups] == ["none"]
