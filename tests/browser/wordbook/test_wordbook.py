"""The page with every text of a language: each text has its mark, each row its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cartulary.locales import LANGUAGES
from tests.browser.wordbook.__main__ import walk
from tests.browser.wordbook.marks import DIGITS, EDGE, WIDTH, collect, mark, put_marks
from tests.browser.wordbook.places import Seen
from tests.browser.wordbook.sheet import find_use, write_sheet
from tests.support.night import at_night

BOX = {"x": 20, "y": 300, "width": 80, "height": 20, "shown": True}


def test_a_mark_leads_back_to_its_key_and_no_reader_sees_it() -> None:
    words = {"ui": {"again": "Again", "now": "now"}, "telling": {"stayed": ["bot"]}}
    marked = put_marks(words, {"ui.again": 5, "ui.now": 1290}, "")
    assert marked["telling"] == words["telling"]
    for number, text in ((5, marked["ui"]["again"]), (1290, marked["ui"]["now"])):
        signs = text.split(EDGE)[1]
        assert int("".join(str(DIGITS.index(sign)) for sign in signs), 2) == number
        assert re.sub(f"[{EDGE}{DIGITS}]", "", text) in ("Again", "now")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_of_a_language_has_a_number_that_fits_into_a_mark(lang: str) -> None:
    texts = collect(lang)
    assert {"ui.home.play_bot", "terms.caylus.goods.food", "learn.caylus.guide.lead"} <= {*texts}
    assert len(texts) < 2**WIDTH
    assert len(mark(len(texts))) == WIDTH + 2


def test_a_row_has_the_key_both_texts_and_the_place() -> None:
    english = {"ui.again": "Again", "ui.now": "<now>", "ui.home.more": "Show more"}
    own = {**english, "ui.again": "Noch einmal"}
    hidden = {**BOX, "shown": False}
    seen = {"ui.again": Seen("Home", "00.jpg", BOX), "ui.now": Seen("Home", "00.jpg", hidden)}
    page = write_sheet("de", english, own, seen)
    assert "3 texts, 2 with a picture" in page
    assert 'data-path="ui.again">Noch einmal<' in page
    assert "url(00.jpg)" in page
    assert "&lt;now&gt;" in page
    assert "Home: read aloud" in page


def test_a_text_that_the_walk_does_not_meet_names_the_files_that_use_it() -> None:
    assert find_use("ui.home.play_bot").startswith("web/js/")
    assert find_use("story.caylus.paid") == "a sentence of the story, of a hint or of an analysis"


@pytest.mark.browser
@at_night(
    "tests/browser/wordbook/test_wordbook.py::"
    "test_every_text_of_a_language_has_a_number_that_fits_into_a_mark"
)
@pytest.mark.timeout(600)
def test_the_walk_meets_every_part_of_the_client(tmp_path: Path) -> None:
    seen = walk("fr", tmp_path)
    parts = {".".join(path.split(".")[:2]) for path, one in seen.items() if one.box["shown"]}
    met = {f"ui.{part}" for part in ("home", "lobby", "new", "settings", "keys", "chat", "replay")}
    assert {*met, "ui.caylus", "ui.carcassonne", "learn.caylus", "story.caylus"} <= parts
