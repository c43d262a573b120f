"""The words: complete in every language, with the same parts, and filled in by its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cartulary import locales
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.buildings import TILE_IDS
from cartulary.engine.caylus.places import PLACE_IDS
from cartulary.games import GAMES
from cartulary.pictures.words import ENGLISH

OTHERS = [lang for lang in locales.LANGUAGES if lang != locales.DEFAULT]


def flat(words: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every text with its path."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def texts(lang: str) -> dict[str, str]:
    found = dict(flat(locales.words(lang)))
    # English bots are described by the catalogue itself
    return {path: text for path, text in found.items() if not path.startswith("terms.bot_lines.")}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_says_everything(lang: str) -> None:
    assert texts(lang).keys() == texts("en").keys()


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_has_the_same_parts_in_every_language(lang: str) -> None:
    def parts(text: str) -> set[str]:
        return set(re.findall(r"\{([a-z_]+)", text))

    own = texts(lang)
    differing = [path for path, text in texts("en").items() if parts(text) != parts(own[path])]
    assert differing == []


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_counted_words_have_the_forms_of_their_language(lang: str) -> None:
    wanted = 2 if lang in ("en", "nl") else 3
    for path, text in texts(lang).items():
        for forms in re.findall(r"\{[a-z_]+((?:\|[^{}|]*)+)\}", text):
            assert forms.count("|") == wanted, path


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_everything_in_the_games_has_a_name(lang: str) -> None:
    terms = locales.terms(lang)
    caylus = terms["caylus"]
    assert {name for name in TILE_IDS if name} <= caylus["buildings"].keys()
    assert {name for name in PLACE_IDS if "road-" not in name} - {""} <= (
        caylus["spaces"].keys() | {"inn_right"}
    )
    for game in GAMES:
        for option in GAMES[game].options:
            named = terms[game]["options"][option.name]
            assert named["values"].keys() == {str(value) for value in option.values}


@pytest.mark.parametrize("lang", OTHERS)
def test_pictures_have_words_of_their_own_for_everything(lang: str) -> None:
    assert ENGLISH.keys() <= locales.picture_words(lang).keys()


@pytest.mark.parametrize(
    ("lang", "count", "wanted"),
    [
        *(("en", 1, "1 point"), ("en", 0, "0 points"), ("nl", 2, "2 points")),
        *(("pl", 1, "1 one"), ("pl", 3, "3 few"), ("pl", 12, "12 many"), ("pl", 21, "21 many")),
        *(("ru", 21, "21 one"), ("ru", 24, "24 few"), ("ru", 11, "11 many")),
        *(("hr", 101, "101 one"), ("hr", 4, "4 few"), ("hr", 14, "14 many"), ("hr", -1, "-1 one")),
    ],
)
def test_a_number_decides_the_form(lang: str, count: int, wanted: str) -> None:
    template = "{n|point|points}" if lang in ("en", "nl") else "{n|one|few|many}"
    assert locales.fill(lang, template, {"n": count}) == wanted


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "en"),
        ("pl", "pl"),
        ("hr-HR,hr;q=0.9,en;q=0.8", "hr"),
        ("de-DE, ru;q=0.5, nl;q=0.7", "nl"),
        ("en;q=0.2, pl;q=0", "en"),
        ("*", "en"),
        ("pl;q=nonsense, ru;q=0.1", "ru"),
    ],
)
def test_the_language_is_the_one_that_the_reader_likes_best(
    header: str | None, wanted: str
) -> None:
    assert locales.negotiate(header) == wanted


def test_the_terms_of_the_rule_documents_are_used() -> None:
    assert locales.terms("pl")["caylus"]["pieces"]["provost"] == "Burmistrz"
    assert locales.terms("hr")["caylus"]["buildings"]["fixed_peddler"] == "Švercer"
    assert locales.terms("nl")["caylus"]["buildings"]["lawyer"] == "Notaris"
    assert locales.terms("ru")["caylus"]["sections"]["dungeon"] == "Донжон"
    assert locales.terms("pl")["carcassonne"]["features"]["road"] == "trakt"
    assert CAYLUS.name in locales.terms("en")
