"""The SVG as a document: well-formed, safe, self-contained, readable."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from cartulary.pictures import source, stylesheet
from cartulary.pictures.sheets.sheets import building_sheet, tile_sheet
from cartulary.pictures.svg import escape, number, shorten, tag
from tests.pictures.golden import GOLDEN
from tests.pictures.measuring import sizes
from tests.pictures.positions import CARCASSONNE, CAYLUS, SVG, position, walk, words_of

HOSTILE = (
    "</text><script>alert(1)</script>",
    "\" onload='alert(2)' x=\"",
    "]]><!--&amp;&#0;\x00\x1b\ufffe\u202eevil",
    "{ask}{name}",
    "\ud800 lone " + "long " * 40,
)
LEAST_SIZE = 11
"""Of text, in pixels, on a phone 360 pixels wide: in no arrangement is a letter under 11 units."""
HOOKS = {
    *("board", "cartulary", "follower", "followers", "hand", "last-move", "last-tile", "open"),
    *("place", "tile"),
}


def pictures() -> Iterator[Element]:
    for picture in GOLDEN.values():
        yield ElementTree.fromstring(picture())


@pytest.mark.slow
@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS, "caylus/game-06-2p-random.json"])
@pytest.mark.parametrize("layout", ["tall", "wide"])
def test_every_position_gives_well_formed_xml(case: str, layout: str) -> None:
    for at in walk(case, 17):
        assert at.tree(layout=layout).tag == f"{SVG}svg"


@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
def test_names_of_players_cannot_break_out(case: str) -> None:
    at = position(case, 60)
    plain, hostile = at.tree(), at.tree(players=HOSTILE, seat=1)
    assert Counter(e.tag for e in plain.iter()) == Counter(e.tag for e in hostile.iter())
    names = {name for e in hostile.iter() for name in e.attrib}
    assert not {name for name in names if name.startswith("on")}


def test_names_are_shown_to_the_letter() -> None:
    drawn = position(CARCASSONNE, 0).draw(players=["<b>&", "{name}"])
    assert ">&lt;b&gt;&amp;<" in drawn
    assert ">{name}<" in drawn


def test_seats_without_a_name_are_numbered() -> None:
    drawn = position(CARCASSONNE, 0).draw(players=["Ada", None])
    assert ">Ada<" in drawn
    assert ">Seat 2<" in drawn


def test_escape_leaves_nothing_that_xml_forbids() -> None:
    assert escape("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;"
    assert escape("a\x00b\x0bc\ufffe\ud800d\u202ee\n") == "abcde "


def test_numbers_are_short_and_never_minus_zero() -> None:
    assert [number(n) for n in (1, 1.0, 0.125, -0.001, 2.50, 1e3)] == [
        *("1", "1", "0.12", "0", "2.5", "1000"),
    ]


def test_shortened_text_says_so() -> None:
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"


def test_attributes_without_a_value_are_left_out() -> None:
    assert tag("a", b=None, data_x=1, class_="c") == '<a data-x="1" class="c"/>'


def test_pictures_need_nothing_from_elsewhere_and_run_nothing() -> None:
    for picture in GOLDEN.values():
        svg = picture()
        assert "script" not in svg
        assert re.findall(r"https?://[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]
        assert "url(" not in svg
        assert not re.search(r' (?:style|on\w+)="', svg)


def test_every_reference_leads_to_one_element() -> None:
    for tree in pictures():
        ids = Counter(name for e in tree.iter() if (name := e.get("id")))
        assert set(ids.values()) <= {1}
        references = {href[1:] for e in tree.iter() if (href := e.get("href"))}
        assert references <= set(ids)
        views = {e.get("id") for e in tree.iter(f"{SVG}view")}  # of the sheets, for addresses
        assert all(name.startswith("k-") for name in ids.keys() - views)


def test_every_class_is_styled_and_every_style_is_used() -> None:
    used = {name for tree in pictures() for e in tree.iter() for name in e.get("class", "").split()}
    styled = set(re.findall(r"\.(k-[\w-]+)\{", stylesheet()))
    assert {name for name in used if name.startswith("k-")} == styled
    assert {name for name in used if not name.startswith("k-")} == HOOKS


def test_the_picture_says_what_it_is() -> None:
    for case in (CARCASSONNE, CAYLUS):
        tree = position(case, 60).tree()
        assert tree.get("role") == "img"
        said = tree.findtext(f"{SVG}desc") or ""
        assert said.startswith(("Ada", "Bartholomew", "Čedomir", "Дарья", "Eve"))
        assert tree.get("aria-label") == f"{tree.findtext(f'{SVG}title')}. {said}"


def test_the_stylesheet_can_be_allowed_by_its_hash() -> None:
    for theme in ("auto", "light", "dark"):
        style = position(CAYLUS, 0).tree(theme=theme).find(f"{SVG}style")
        assert style is not None
        assert style.text
        digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
        assert source(theme) == f"'sha256-{digest}'"


def test_the_stylesheet_can_be_left_out() -> None:
    assert position(CAYLUS, 0).tree(style=False).find(f"{SVG}style") is None


def test_a_fixed_theme_does_not_ask_the_reader() -> None:
    assert "prefers-color-scheme" in stylesheet("auto")
    assert "prefers-color-scheme" not in stylesheet("light") + stylesheet("dark")
    assert stylesheet("light") != stylesheet("dark")


@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
def test_text_is_legible_on_a_phone_of_360(case: str) -> None:
    for at in walk(case, 40):
        tree = at.tree()
        assert tree.attrib["viewBox"].startswith("0 0 360 ")
        small = [(size, text) for size, text in sizes(tree) if size < LEAST_SIZE]
        assert small == []


def test_sheets_are_well_formed() -> None:
    for sheet in (
        tile_sheet(words_of("carcassonne"), "light"),
        building_sheet(words_of("caylus"), "dark"),
    ):
        assert ElementTree.fromstring(sheet).tag == f"{SVG}svg"
