"""The board alone, and the arrangement that fits a box best."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import pytest

from cartulary.pictures.caylus.scene import FITTING, PARTS, choose, measure, scale_of
from cartulary.pictures.frame import Scene
from tests.pictures.positions import CARCASSONNE, CAYLUS, SVG, position, walk, with_class

SECTIONS = ["castle", "specials", "bridge", "road", "favours", "stock"]
RATIOS = (0.2, 0.45, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0)
LAYOUTS = ("tall", "wide", "fit")


def box(tree: Element) -> tuple[float, float]:
    _, _, width, height = map(float, tree.attrib["viewBox"].split())
    return width, height


def scene(ratio: float) -> Scene:
    at = position(CAYLUS, 100)
    return Scene(at.view, ["A"] * 5, layout="fit", parts="board", ratio=ratio)


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


def test_only_a_picture_with_letters_tells_their_least_size() -> None:
    assert float(position(CAYLUS, 100).tree(parts="board").attrib["data-letter"]) > 8
    assert "data-letter" not in position(CARCASSONNE, 71).tree(parts="board").attrib
