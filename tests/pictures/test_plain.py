"""The plain style: a picture for programs that know no stylesheet."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from cartulary.pictures.colours import COLOURS, SEATS
from cartulary.pictures.frame import LAYOUTS
from tests.pictures.positions import CARCASSONNE, CAYLUS, SVG, position

HREF = "{http://www.w3.org/1999/xlink}href"
CASES = [(case, layout) for case in (CARCASSONNE, CAYLUS) for layout in LAYOUTS]


def draw(case: str, layout: str, **more: object) -> Element:
    return ElementTree.fromstring(position(case, 60).draw(layout=layout, plain=True, **more))


@pytest.mark.parametrize(("case", "layout"), CASES)
def test_a_plain_picture_needs_no_stylesheet_and_nothing_from_elsewhere(
    case: str, layout: str
) -> None:
    root = draw(case, layout)
    ids = {one.get("id") for one in root.iter()}
    for one in root.iter():
        assert one.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}image", f"{SVG}symbol")
        assert not {"class", "style", "textLength", "href", "data-box"} & set(one.attrib)
        assert not any("var(" in value or "url(" in value for value in one.attrib.values())
        assert one.get(HREF, "#")[0] == "#"
        assert HREF not in one.attrib or one.attrib[HREF][1:] in ids
    assert list(root.iter(f"{SVG}svg")) == [root]
    assert {one.get("font-family") for one in root.iter()} <= {None, "serif", "sans-serif"}


@pytest.mark.slow
@pytest.mark.parametrize(("case", "layout"), CASES)
def test_a_plain_picture_has_the_places_and_the_words_of_the_picture(
    case: str, layout: str
) -> None:
    def list_places(root: Element) -> set[tuple[str | None, ...]]:
        names = ("id", "data-x", "data-y", "data-space", "data-building", "data-line")
        found = {tuple(map(one.get, names)) for one in root.iter()}
        return {one for one in found if not re.search("-of-[0-4]$", one[0] or "")}

    def list_words(root: Element) -> list[str]:
        return [str(one.text) for one in root.iter(f"{SVG}text")]

    whole = position(case, 60).tree(layout=layout)
    plain = draw(case, layout)
    assert list_places(plain) == list_places(whole)
    assert list_words(plain) == list_words(whole)


@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
def test_the_pieces_of_a_plain_picture_have_the_colours_of_their_seats(case: str) -> None:
    root = draw(case, "share")
    fills = {one.get("fill") for one in root.iter()}
    assert {colour for colour, _ink in SEATS} <= fills
    for seat, (colour, _ink) in enumerate(SEATS):
        seal = next(one for one in root.iter() if one.get("id") == f"k-seal-{seat}")
        assert [one.get("fill") for one in seal] == [COLOURS["white"][0], colour]


@pytest.mark.parametrize(("theme", "at"), [("auto", 0), ("light", 0), ("dark", 1)])
def test_a_plain_picture_has_one_theme(theme: str, at: int) -> None:
    root = draw(CAYLUS, "tall", theme=theme)
    page = COLOURS["page"][at]
    assert page in {one.get("fill") for one in root.iter(f"{SVG}rect")}
    assert root.get("fill") == COLOURS["ink"][at]


def test_long_names_fit_into_a_plain_picture_by_smaller_letters() -> None:
    names = ["W" * 30, "Ada"]
    root = draw("caylus/game-00-2p-builder.json", "share", players=names)
    sizes = {
        str(one.text)[:3]: float(one.get("font-size", "0"))
        for one in root.iter(f"{SVG}text")
        if str(one.text)[:3] in ("WWW", "Ada")
    }
    assert sizes["WWW"] < sizes["Ada"] == 13
