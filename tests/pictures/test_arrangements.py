"""The board alone, and the arrangement that fits a box best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from cartulary import locales
from cartulary.engine.carcassonne.tiles import NUMBER, TILES
from cartulary.games import OFFERS
from cartulary.pictures.caylus.castle import bridge
from cartulary.pictures.caylus.scene import FITTING, LETTER, PARTS, choose, measure, scale_of
from cartulary.pictures.frame import PictureScene
from cartulary.pictures.share import BOARD
from cartulary.pictures.svg import text_width
from tests.pictures.measuring import sizes
from tests.pictures.positions import (
    CARCASSONNE,
    CAYLUS,
    NAMES,
    SVG,
    Position,
    position,
    walk,
    with_class,
)

SECTIONS = ["castle", "specials", "bridge", "road", "favours", "stock"]
RATIOS = (0.2, 0.45, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0)
LAYOUTS = ("tall", "wide", "fit")


def box(tree: Element) -> tuple[float, float]:
    _, _, width, height = map(float, tree.attrib["viewBox"].split())
    return width, height


def scene(ratio: float) -> PictureScene:
    at = position(CAYLUS, 100)
    return PictureScene(at.view, ["A"] * 5, layout="fit", parts="board", ratio=ratio)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
def test_the_board_alone_lists_no_player_and_asks_no_question(case: str, layout: str) -> None:
    at = position(case, 71)
    tree = at.tree(layout=layout, parts="board")
    written = {element.text for element in tree.iter(f"{SVG}text")}
    assert at.decision
    assert not written & {"Ada", "Bartholomew of Lyon", "Eve"}
    of_seats = {e.get("class", "").split()[0] for e in tree.iter() if "data-seat" in e.attrib}
    assert of_seats <= {"follower", "last-tile"}
    whole = at.tree(layout=layout)
    assert "Ada" in {element.text for element in whole.iter(f"{SVG}text")}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_part_of_the_board_of_caylus_is_a_section_with_a_title(layout: str) -> None:
    tree = position(CAYLUS, 100).tree(layout=layout, parts="board")
    groups = [e for e in tree if e.get("data-section")]
    assert sorted(e.attrib["data-section"] for e in groups) == sorted(SECTIONS)
    assert all(e.findtext(f"{SVG}title") for e in groups)


def test_simplified_favours_have_no_table() -> None:
    tree = position(CAYLUS, 100).tree(options={"edition": "first", "favours": "simplified"})
    assert not [e for e in tree.iter() if e.get("data-section") == "favours"]
    assert not [e for e in tree.iter() if e.get("data-line")]


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_arrangement_with_the_largest_scale_wins(ratio: float) -> None:
    at = scene(ratio)
    best = scale_of(at, choose(at))
    assert best == max(scale_of(at, arrangement) for arrangement in FITTING)
    width, height = box(position(CAYLUS, 100).tree(layout="fit", parts="board", ratio=ratio))
    assert min(ratio / width, 1 / height) >= best


def test_at_least_three_arrangements_win_somewhere() -> None:
    assert len({choose(scene(ratio)) for ratio in RATIOS}) >= 3


def test_the_arrangement_stays_the_same_while_the_stock_runs_out() -> None:
    widths = {box(at.tree(layout="fit", parts="board", ratio=1.3))[0] for at in walk(CAYLUS, 40)}
    assert len(widths) == 1


def test_a_picture_is_as_high_as_its_parts() -> None:
    at = scene(1.0)
    for arrangement in FITTING:
        named = [part for column in arrangement.columns for part in column.parts]
        assert sorted([*named, *arrangement.below]) == sorted(PARTS)
        assert measure(at, arrangement) > 0


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_board_of_carcassonne_takes_the_ratio_of_the_box(ratio: float) -> None:
    for at in walk(CARCASSONNE, 30):
        width, height = box(at.tree(layout="fit", parts="board", ratio=ratio))
        assert width / height == pytest.approx(ratio, rel=0.001)


def test_the_tile_in_hand_can_be_drawn_in_every_rotation_beside_the_board() -> None:
    at = next(p for p in walk(CARCASSONNE) if p.view["tile"])
    tree = at.tree(parts="board")
    defined = {e.get("id") for e in tree.find(f"{SVG}defs") or ()}
    wanted = {f"k-tile-{at.view['tile']}-{rotation}" for rotation in (0, 90, 180, 270)}
    assert wanted <= defined
    assert {f"k-tile-{letter}-0" for letter in at.view["remaining"]} <= defined
    (hand,) = with_class(tree, "hand")
    assert hand.find(f"{SVG}use").attrib["href"] in {f"#{name}" for name in wanted}  # type: ignore[union-attr]
    areas = [e.attrib["data-segment"] for e in hand.iter() if "data-segment" in e.attrib]
    assert sorted(areas) == sorted(s.id for s in TILES[NUMBER[at.view["tile"]]].segments)


WISHES: tuple[dict[str, Any], ...] = (
    {"layout": "tall"},
    {"layout": "wide"},
    *({"layout": "fit", "parts": "board", "ratio": ratio} for ratio in (0.3, 0.6, 1.0, 1.5, 2.5)),
)


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS, "caylus/game-06-2p-random.json"])
@pytest.mark.slow
def test_no_letter_is_smaller_than_the_root_says(case: str, lang: str) -> None:
    at = position(case, 60)
    words = OFFERS[at.game].words.picture(lang)
    for wish in WISHES:
        tree = at.tree(words=words, options={"edition": "second"}, **wish)
        assert [found for found in sizes(tree) if found[0] < LETTER - 0.01] == [], wish


#: What is free for the board: a phone of 390, a desktop of 1440 by 900 and one of 2200 by 1300.
BOXES = [(390, 0), (800, 800), (1500, 1180)]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), BOXES)
def test_letters_of_caylus_are_eleven_pixels_high(width: int, height: int) -> None:
    for at in walk(CAYLUS, 40):
        wish = {"layout": "fit", "ratio": width / height} if height else {"layout": "tall"}
        tree = at.tree(parts="board", options={"edition": "second"}, **wish)
        wide, high = box(tree)
        scale = min(width / wide, height / high) if height else width / wide
        assert float(tree.attrib["data-letter"]) * scale >= 11


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_caption_of_the_bridge_ends_before_its_circles(lang: str, seats: int) -> None:
    view = {**position(CAYLUS, 0).view, "passed": []}
    for width in (304.0, 340.0):
        drawn = bridge(PictureScene(view, ["A"] * seats, words=words_in(lang)), width)
        tree = ElementTree.fromstring(drawn)
        caption = next(e for e in tree.iter("text") if not (e.text or "").isdigit())
        room = caption.get("textLength")
        length = float(room) if room else text_width(caption.text or "", 11)
        circles = [e for e in tree.iter("circle") if e.get("class") == "k-slot"]
        first = min(float(e.attrib["cx"]) - float(e.attrib["r"]) for e in circles)
        assert float(caption.attrib["x"]) + length < first


def words_in(lang: str) -> Mapping[str, str]:
    return OFFERS["caylus"].words.picture(lang)


@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
def test_the_picture_to_share_shows_the_board_and_every_player_with_the_points(case: str) -> None:
    for at in (position(case, 71), position(case)):
        tree = at.tree(layout="share")
        assert (tree.get("width"), tree.get("height")) == ("1200", "630")
        (board,) = [e for e in tree.iter(f"{SVG}svg") if e.get("data-layout") == "fit"]
        alone = at.tree(layout="fit", parts="board", ratio=BOARD[0] / BOARD[1])
        assert ElementTree.tostring(board) == ElementTree.tostring(alone)
        counted = (at.result or at.view).get("scores")
        points = counted or [player["prestige"] for player in at.view["players"]]
        written = [element.text for element in tree.iter(f"{SVG}text")]
        assert written[-10::2] == [NAMES[s] for s in order(at)]
        assert written[-9::2] == [str(points[s]) for s in order(at)]
        names = Counter(name for e in tree.iter() if (name := e.get("id")))
        assert set(names.values()) == {1}


def order(at: Position) -> list[int]:
    return at.view.get("turn_order") or list(range(len(at.view["scores"])))


def test_the_bridge_can_be_touched_as_a_whole() -> None:
    (found,) = [e for e in position(CAYLUS, 100).tree().iter() if "data-bridge" in e.attrib]
    assert list(found)[-1].get("class") == "k-hit"
    assert found.findtext(f"{SVG}title")


def test_only_a_picture_with_letters_tells_their_least_size() -> None:
    assert float(position(CAYLUS, 100).tree(parts="board").attrib["data-letter"]) > 8
    assert "data-letter" not in position(CARCASSONNE, 71).tree(parts="board").attrib
