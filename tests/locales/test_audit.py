"""What a translator has to look at (`locales.audit`): nothing, in every language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cartulary.locales import LANGUAGES
from cartulary.locales.audit import compare, find_faults, list_folders

ENGLISH: dict[str, Any] = {
    "ui": {"again": "Again", "move": "{name} makes {n|move|moves}"},
    "story": {"begins": "The game begins"},
    "terms": {"asks": {"lay": "Where will you lay it?"}},
    "picture": {"asks": {"lay": "lay"}},
}


def faults(lang: str = "de", /, **changes: Any) -> dict[str, str]:
    """Return the faults of the English words with changes, by path."""
    return dict(compare(ENGLISH, {**ENGLISH, **changes}, lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_missing_unknown_filled_in_wrongly_or_too_long(lang: str) -> None:
    assert [str(fault) for fault in find_faults(lang)] == []


def test_the_words_of_the_service_of_the_games_and_of_the_lessons_are_looked_at() -> None:
    names = [folder.relative_to(list_folders()[0]).as_posix() for folder in list_folders()]
    assert {".", "caylus", "caylus/learn", "carcassonne", "carcassonne/learn"} <= {*names}


def test_a_text_that_english_has_and_the_language_lacks_is_missing() -> None:
    assert faults(ui={"again": "Noch einmal"}) == {"ui.move": "is missing"}


def test_a_text_that_english_lacks_is_unknown() -> None:
    assert faults(ui={**ENGLISH["ui"], "old": "Alt"}) == {"ui.old": "is unknown: Alt"}


def test_a_term_stands_in_for_the_short_text_of_a_picture() -> None:
    assert faults(picture={}) == {}


def test_a_text_has_the_parts_of_the_english_text_and_the_forms_of_its_language() -> None:
    wrong = {"again": "Again", "move": "{who} zieht {n|Zug|Zuges|Züge}"}
    assert faults(ui=wrong) == {
        "ui.move": "has 3 forms instead of 2: {who} zieht {n|Zug|Zuges|Züge}",
    }
    said = [problem for _, problem in compare(ENGLISH, {**ENGLISH, "ui": wrong}, "de")]
    assert said[0].startswith("has other parts than")
    assert "ui.move" in faults("pl")


def test_a_button_has_half_as_much_room_again_and_a_sentence_twice_as_much() -> None:
    def is_long(group: str, key: str, length: int) -> bool:
        return bool(faults(**{group: {**ENGLISH[group], key: "x" * length}}))

    assert not is_long("ui", "again", 12 + 8)
    assert is_long("ui", "again", 12 + 9)
    assert not is_long("story", "begins", 12 + 30)
    assert is_long("story", "begins", 12 + 31)


def test_a_fault_names_the_file_and_a_game_may_be_in_english_alone(tmp_path: Path) -> None:
    for place, langs in (("", ["en", "de"]), ("draughts", ["en"]), ("chess", ["en", "de"])):
        (tmp_path / place).mkdir(exist_ok=True)
        for lang in langs:
            words = ENGLISH if lang == "en" else {**ENGLISH, "story": {}}
            (tmp_path / place / f"{lang}.json").write_text(json.dumps(words), encoding="utf-8")
    assert sorted(map(str, find_faults("de", tmp_path))) == [
        "de  chess/de.json  story.begins: is missing",
        "de  de.json  story.begins: is missing",
    ]


def test_what_the_bots_are_like_is_said_in_every_language_but_english(tmp_path: Path) -> None:
    said = {"asks": {"lay": "Gdzie?"}, "bot_lines": {"easy": "Nie planuje."}}
    for lang, words in {"en": {}, "pl": {"terms": said}, "de": {}}.items():
        text = json.dumps({**ENGLISH, **words})
        (tmp_path / f"{lang}.json").write_text(text, encoding="utf-8")
    assert [fault.path for fault in find_faults("de", tmp_path)] == ["terms.bot_lines.easy"]
    assert {fault.path for fault in find_faults("pl", tmp_path)} == {"ui.move"}
    assert not list(find_faults("en", tmp_path))
