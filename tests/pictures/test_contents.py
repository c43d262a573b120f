"""What is in the view is in the picture."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from cartulary import pictures
from cartulary.engine.caylus.buildings import ROAD_BUILDINGS
from cartulary.pictures.caylus.card import HEIGHT, WIDTH
from cartulary.pictures.caylus.road import WAY, name_of
from cartulary.pictures.frame import PictureScene
from tests.pictures.positions import (
    CARCASSONNE,
    CAYLUS,
    SVG,
    picture_of,
    position,
    uses,
    walk,
    with_class,
    words_of,
)


def texts(tree: Any) -> Counter[str]:
    return Counter(element.text or "" for element in tree.iter(f"{SVG}text"))


def test_followers_show_seat_and_role() -> None:
    roles = {"c": "knight", "r": "highwayman", "m": "monk", "f": "farmer"}
    for at in walk(CARCASSONNE, 11):
        expected = Counter(
            (str(f["seat"]), roles[f["segment"][0]])
            for entry in at.view["board"]
            if (f := entry["follower"])
        )
        tree = at.tree()
        shown = with_class(tree, "follower")
        assert Counter((e.get("data-seat"), e.get("data-role")) for e in shown) == expected
        for element in shown:
            symbols = [child.get("href") for child in element.iter(f"{SVG}use")]
            assert symbols == [
                f"#k-seal-{element.get('data-seat')}",
                f"#k-{element.get('data-role')}",
            ]


def test_scores_and_supplies_are_shown() -> None:
    at = position(CARCASSONNE, 71)
    tree = at.tree()
    for score in at.view["scores"]:
        assert texts(tree)[str(score)]
    full = [e for e in uses(tree, "pip") if e.get("class") == "k-pip"]
    assert len(full) == sum(at.view["followers"])


def test_the_tile_in_hand_is_shown_and_what_is_left_in_the_bag() -> None:
    at = next(p for p in walk(CARCASSONNE) if p.view["tile"])
    tree = at.tree()
    (hand,) = with_class(tree, "hand")
    assert hand.find(f"{SVG}use").attrib["href"] == f"#k-tile-{at.view['tile']}-0"  # type: ignore[union-attr]
    for letter, count in at.view["remaining"].items():
        assert texts(tree)[f"{count} × {letter}"] == 1


def test_after_placing_the_laid_tile_is_shown_as_it_lies() -> None:
    at = next(p for p in walk(CARCASSONNE) if p.decision and p.decision["kind"] == "place_follower")
    (hand,) = with_class(at.tree(), "hand")
    last = at.view["board"][-1]
    href = hand.find(f"{SVG}use").attrib["href"]  # type: ignore[union-attr]
    assert href == f"#k-tile-{last['tile']}-{last['rotation']}"


def test_tiles_set_aside_are_counted() -> None:
    at = position("carcassonne/game-10.json", 60)
    assert at.view["discarded"] == ["B"]
    assert texts(at.tree())["set aside: 1"] == 1


def test_the_last_move_of_carcassonne_is_marked() -> None:
    at = position(CARCASSONNE, 71)
    (mark,) = with_class(at.tree(), "last-move")
    last = at.view["board"][-1]
    assert mark.attrib["transform"] == f"translate({last['x'] * 100} {last['y'] * 100})"


def test_an_older_tile_is_marked_when_the_last_move_says_so() -> None:
    at = position(CARCASSONNE, 71)
    first = at.view["board"][1]
    move = {"type": "place_tile", "x": first["x"], "y": first["y"], "rotation": 0}
    (mark,) = with_class(at.tree(last_move=move), "last-move")
    assert mark.attrib["transform"] == f"translate({first['x'] * 100} {first['y'] * 100})"


def test_nothing_is_marked_before_the_first_move() -> None:
    assert with_class(position(CARCASSONNE, 0).tree(), "last-move") == []


def place(tree: Any, space: str) -> Any:
    (found,) = [e for e in tree.iter() if e.get("data-space") == space]
    return found


@pytest.mark.slow
def test_the_last_move_of_caylus_is_marked_on_the_space_it_names() -> None:
    for at in walk(CAYLUS, 3):
        if at.last_move and "space" in at.last_move["move"]:
            tree = at.tree()
            assert len(with_class(tree, "last-move")) == 1
            assert with_class(place(tree, at.last_move["move"]["space"]), "last-move")


def test_a_new_building_is_marked() -> None:
    at = next(p for p in walk(CAYLUS) if p.last_move and p.last_move["move"]["type"] == "build")
    built = at.last_move["move"]["building"] if at.last_move else None
    (space,) = [e["space"] for e in at.view["road"] if e["building"] == built]
    assert with_class(place(at.tree(), space), "last-move")


def workers(held: Any) -> list[int]:
    if isinstance(held, dict):
        held = list(held.values())
    return [seat for seat in (held if isinstance(held, list) else [held]) if seat is not None]


@pytest.mark.slow
def test_every_worker_stands_where_the_view_has_it() -> None:
    special = ("gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn", "castle")
    for at in walk(CAYLUS, 13):
        tree = at.tree()
        held = {name: workers(at.view[name]) for name in special}
        held |= {entry["space"]: workers(entry["worker"]) for entry in at.view["road"]}
        for space, seats in held.items():
            shown = [e.attrib["class"] for e in uses(place(tree, space), "worker")]
            assert sorted(shown) == sorted(f"k-s{seat}" for seat in seats), space


def test_owners_fly_their_flags() -> None:
    at = position(CAYLUS, 215)
    tree = at.tree()
    owners = {entry["space"]: entry["owner"] for entry in at.view["road"]}
    assert any(owner is not None for owner in owners.values())
    for space, owner in owners.items():
        emblems = [e for n in range(5) for e in uses(place(tree, space), f"emblem-{n}")]
        shown = [e.attrib["href"] for e in emblems]
        assert shown == ([] if owner is None else [f"#k-emblem-{owner}"]), space


def test_a_pending_residence_is_announced() -> None:
    at = position(CAYLUS, 215)
    space = next(e for e in at.view["road"] if e["worker"] is not None)
    before = len(uses(at.tree(), "house-residence"))
    space["pending_residence"] = 2
    try:
        tree = at.tree()
    finally:
        del space["pending_residence"]
    assert len(uses(tree, "house-residence")) == before + 1
    assert "residence of Čedomir (triangle) to come" in (
        place(tree, space["space"]).findtext(f"{SVG}title") or ""
    )


def test_provost_and_bailiff_stand_on_their_spaces() -> None:
    at = position(CAYLUS, 215)
    tree = at.tree()
    for piece in ("provost", "bailiff"):
        standing = place(tree, f"road-{at.view[piece]}")
        assert piece.capitalize() in (standing.findtext(f"{SVG}title") or "")
        (shown,) = [e for e in tree.iter() if e.get("data-piece") == piece]
        assert uses(shown, piece)
        (x, y), (px, py) = moved(standing), moved(shown)
        assert 0 < px - x < WIDTH
        assert HEIGHT < py - y < HEIGHT + WAY


def moved(element: Any) -> tuple[float, float]:
    found = re.match(r"translate\(([\d.-]+) ([\d.-]+)\)", element.attrib["transform"])
    assert found
    return float(found[1]), float(found[2])


def test_with_two_players_the_stables_are_closed() -> None:
    two, five = position("caylus/game-06-2p-random.json", 40), position(CAYLUS, 40)
    stables = place(two.tree(), "stables")
    assert stables.findtext(f"{SVG}title") == "Stables: closed"
    assert with_class(stables, "k-bar")
    assert not with_class(stables, "k-slot")
    assert len(with_class(place(five.tree(), "stables"), "k-slot")) == 3


def test_the_lawyer_is_worth_what_the_edition_says() -> None:
    at = position(CAYLUS, 0)
    for edition, points in (("first", "4"), ("second", "3")):
        tree = at.tree(options={"edition": edition})
        (lawyer,) = [e for e in tree.iter() if e.get("data-building") == "lawyer"]
        told = [text.text for text in lawyer.iter(f"{SVG}text")]
        assert [text for text in told if text and text.isdigit()] == [points, "1", "2"]


def test_houses_of_the_castle_are_counted_out() -> None:
    at = position("caylus/game-03-4p-builder.json")
    tree = at.tree()
    for section, state in at.view["sections"].items():
        (drawn,) = [e for e in tree.iter() if e.get("data-section") == section]
        shown = [len(uses(drawn, f"emblem-{seat}")) for seat in range(4)]
        assert shown == state["houses"]
    assert any(sum(s["houses"]) for s in at.view["sections"].values())


def test_favour_markers_stand_on_every_line() -> None:
    at = position(CAYLUS, 215)
    for line in [e for e in at.tree().iter() if "data-line" in e.attrib]:
        seals = Counter(e.get("href") for n in range(5) for e in uses(line, f"seal-{n}"))
        assert seals == Counter(f"#k-seal-{seat}" for seat in range(5))


def test_goods_of_the_players_are_shown() -> None:
    at = position(CAYLUS, 215)
    rows = [e for e in at.tree().iter(f"{SVG}g") if "data-seat" in e.attrib]
    assert len(rows) == len(at.view["players"])
    assert [int(row.attrib["data-seat"]) for row in rows] == at.view["turn_order"]
    for row in rows:
        player = at.view["players"][int(row.attrib["data-seat"])]
        numbers = [player["prestige"], player["deniers"], player["workers"]]
        numbers += player["cubes"].values()
        written = [t.text or "" for t in row.iter(f"{SVG}text")]
        shown = Counter(int(text) for text in written if text.isdigit())
        assert shown == Counter(numbers)


def test_the_final_scores_are_shown_when_the_game_is_over() -> None:
    for case in (CARCASSONNE, CAYLUS):
        at = position(case)
        assert at.result
        tree = at.tree()
        for score in at.result["scores"]:
            assert texts(tree)[str(score)]
        winners = ", ".join(
            ("Ada", "Bartholomew of Lyon", "Čedomir", "Дарья", "Eve")[seat]
            for seat in at.result["winners"]
        )
        assert tree.findtext(f"{SVG}desc") == f"Won by {winners}"


def test_every_building_of_the_road_has_a_name() -> None:
    scene = PictureScene(view={}, names=[], words=words_of("caylus"))
    for building in ROAD_BUILDINGS:
        assert name_of(scene, building.id) in scene.words.values()


def test_the_reader_finds_himself_even_with_a_long_name() -> None:
    tree = position(CARCASSONNE, 71).tree(players=["A" * 60, "B", "C", "D", "E"], seat=0)
    assert texts(tree)["A" * 17 + "… (you)"] == 1


def test_words_can_be_replaced() -> None:
    words = {"buildings.gold_mine": "Złota kopalnia", "asks.place_worker": "ustaw robotnika"}
    tree = position(CAYLUS, 0).tree(words={**words_of("caylus"), **words})
    assert texts(tree)["Złota kopalnia"] == 1
    assert "ustaw robotnika" in (tree.findtext(f"{SVG}desc") or "")


@pytest.mark.slow
def test_every_word_of_a_picture_is_found_in_the_words_of_its_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing: set[str] = set()

    def say(words: dict[str, str], word: str, **parts: object) -> str:
        if word not in words:
            missing.add(word)
        return word

    monkeypatch.setattr("cartulary.pictures.frame.words.say", say)
    for case in (CARCASSONNE, CAYLUS, "carcassonne/game-10.json"):
        for at in walk(case, 5):
            at.draw()
    assert missing == set()


@pytest.mark.parametrize(("argument", "wrong"), [("layout", "round"), ("theme", "pink")])
def test_what_there_is_not_is_refused(argument: str, wrong: str) -> None:
    at = position(CARCASSONNE, 0)
    arguments: dict[str, Any] = {
        "picture": picture_of(at.game),
        "view": at.view,
        "words": {},
        argument: wrong,
    }
    with pytest.raises(ValueError, match=wrong):
        pictures.draw(**arguments)
