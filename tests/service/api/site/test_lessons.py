"""The page that teaches a game: its words, its prepared game, the picture of all pieces."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from cartulary import locales
from cartulary.games import OFFERS
from tests.service.support.caller import Caller

GAMES = [name for name, offer in OFFERS.items() if offer.words.lesson("en")]
SVG = "{http://www.w3.org/2000/svg}"


def ask(caller: Caller, address: str, **headers: str) -> Any:
    return caller.client.get(f"/learn/{address}", headers=headers)


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_lesson_has_the_words_of_its_language_and_a_prepared_game(
    visitor: Caller, game: str, lang: str
) -> None:
    answer = ask(visitor, f"{game}/{lang}.json")
    assert answer.mimetype == "application/json"
    assert answer.json["rules"]["goal"]["title"]
    assert answer.json["prepared"]["transcript"]["game"] == game
    english = ask(visitor, f"{game}/en.json").json
    assert (answer.json["rules"] == english["rules"]) == (lang == "en")


def test_a_language_without_lessons_gets_english_words(visitor: Caller) -> None:
    assert ask(visitor, "caylus/it.json").json == ask(visitor, "caylus/en.json").json


@pytest.mark.parametrize(
    "address", ["chess/en.json", "chess/pieces.svg", "..%2Flearn%2Fcaylus/en.json", "caylus/en.txt"]
)
def test_nothing_else_is_a_lesson(visitor: Caller, address: str) -> None:
    answer = ask(visitor, address)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.parametrize("file", ["en.json", "pieces.svg"])
def test_a_lesson_that_the_browser_has_is_not_sent_again(visitor: Caller, file: str) -> None:
    first = ask(visitor, f"caylus/{file}")
    again = ask(visitor, f"caylus/{file}", **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "no-cache"
    assert "default-src 'none'" in first.headers["Content-Security-Policy"]


@pytest.mark.parametrize("game", [name for name, offer in OFFERS.items() if offer.sheet])
def test_the_picture_has_a_view_for_each_piece(visitor: Caller, game: str) -> None:
    tree = ElementTree.fromstring(ask(visitor, f"{game}/pieces.svg?lang=pl&theme=dark").text)
    views = [view.attrib["id"] for view in tree.iter(f"{SVG}view")]
    assert {piece.id for piece in OFFERS[game].pieces} & {*views}
    assert len(set(views)) == len(views)


def test_the_picture_shows_the_pieces_under_the_options(visitor: Caller) -> None:
    first, second = (ask(visitor, f"caylus/pieces.svg?edition={e}") for e in ("first", "second"))
    assert first.data != second.data
    assert first.headers["ETag"] != second.headers["ETag"]


@pytest.mark.parametrize("query", ["edition=third", "zoom=2", "edition=first&edition=second"])
def test_an_option_that_the_game_does_not_have_is_refused(visitor: Caller, query: str) -> None:
    answer = ask(visitor, f"caylus/pieces.svg?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["errors"][0]["pointer"] in ("/edition", "/zoom")
