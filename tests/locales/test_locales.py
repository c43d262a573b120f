"""The words: complete in every language, with the same parts, and filled in by its grammar."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cartulary import locales
from cartulary.engine.caylus.buildings import TILE_IDS
from cartulary.engine.caylus.places import PLACE_IDS
from cartulary.locales.audit import flatten
from cartulary.puzzles.themes import THEMES
from tests.support.games import ALL_OFFERS

OFFERS = {name: offer for name, offer in ALL_OFFERS.items() if name != "beans"}

WORDS: dict[str, Mapping[str, locales.Words]] = {
    "general": {lang: locales.words(lang) for lang in locales.LANGUAGES},
    **{path.name: locales.read_folder(path) for path in sorted(locales.FOLDER.glob("[a-z]*/"))},
}
"""By game, the words of each language; `general` are those that belong to no game."""


@pytest.mark.parametrize("part", WORDS)
def test_the_words_that_are_kept_here_are_in_every_language_or_in_english_alone(part: str) -> None:
    alone = [set()] if part == "general" else [{"en"}]
    assert WORDS[part].keys() in (set(locales.LANGUAGES), *alone)


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_every_option_has_a_name_and_words_for_its_values(lang: str) -> None:
    for offer in OFFERS.values():
        for option in offer.rules.options:
            named = offer.words.terms(lang)["options"][option.name]
            assert named["name"]
            assert named["values"].keys() == {str(value) for value in option.values}


@pytest.mark.parametrize("name", OFFERS)
def test_every_decision_has_a_question_in_words(name: str) -> None:
    words = OFFERS[name].words.terms("en")
    assert words["asks"].keys() == OFFERS[name].contract.decisions.keys()
    assert words["title"] == OFFERS[name].rules.title
    assert words["line"]


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("game", THEMES)
def test_every_theme_of_puzzles_has_a_name(game: str, lang: str) -> None:
    named = OFFERS[game].words.terms(lang)["themes"]
    assert named.keys() == {theme.id for theme in THEMES[game]}


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_every_building_and_place_of_caylus_has_a_name(lang: str) -> None:
    caylus = OFFERS["caylus"].words.terms(lang)
    assert {name for name in TILE_IDS if name} <= caylus["buildings"].keys()
    assert {name for name in PLACE_IDS if "road-" not in name} - {""} <= (
        caylus["spaces"].keys() | {"inn_right"}
    )


REPLACES_NO_OTHER = {
    "de": "ersetzt keinen anderen",
    "en": "replaces no other",
    "es": "no sustituye a ningún otro",
    "fr": "n’en remplace aucune",
    "hr": "ne zamjenjuje nijedan drugi",
    "nl": "vervangt geen andere",
    "pl": "nie zastępuje żadnego innego",
    "ru": "не заменяет никакой другой",
}


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_the_note_on_goods_says_that_gold_pays_for_no_other_good(lang: str) -> None:
    """Rules 0 and 1: gold pays where a price says "any" or "gold", and nowhere else."""
    words: Any = WORDS["caylus"][lang]
    assert REPLACES_NO_OTHER[lang] in words["ui"]["goods_note"]


def test_a_text_that_a_language_lacks_is_english() -> None:
    words = locales.GameWords(
        {
            "en": {"terms": {"title": "Draughts", "pieces": {"man": "man", "king": "king"}}},
            "nl": {"terms": {"title": "Dammen", "pieces": {"king": "dam"}}},
        }
    )
    assert words.terms("nl") == {"title": "Dammen", "pieces": {"man": "man", "king": "dam"}}
    assert words.terms("pl") == words.terms("en")
    assert words.picture("nl")["pieces.man"] == "man"
    assert words.picture("nl")["winners"] == "Gewonnen door {names}"


def test_a_folder_of_words_without_english_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nl.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match="needs English words"):
        locales.GameWords.of_folder(tmp_path)


def test_a_picture_may_have_a_short_text_for_a_term() -> None:
    english = {"terms": {"asks": {"lay": "Where?"}}, "picture": {"asks": {"lay": "lay"}}}
    words = locales.GameWords({"en": english, "nl": {"terms": {"asks": {"lay": "Waar?"}}}})
    assert words.picture("en")["asks.lay"] == "lay"
    assert words.picture("nl")["asks.lay"] == "Waar?"
    assert words.picture("pl")["asks.lay"] == "lay"


def test_the_client_gets_the_words_of_a_game_by_its_name() -> None:
    games = {"draughts": locales.GameWords({"en": {"ui": {"jump": "Jump!"}}})}
    joined = locales.join("pl", games)
    assert joined["ui"]["draughts"] == {"jump": "Jump!"}
    assert joined["ui"]["lobby"] == locales.words("pl")["ui"]["lobby"]
    assert joined["terms"]["draughts"] == joined["story"]["draughts"] == {}


@pytest.mark.parametrize(
    ("lang", "count", "wanted"),
    [
        *(("en", 1, "1 point"), ("en", 0, "0 points"), ("nl", 2, "2 points")),
        *(("pl", 1, "1 one"), ("pl", 3, "3 few"), ("pl", 12, "12 many"), ("pl", 21, "21 many")),
        *(("ru", 21, "21 one"), ("ru", 24, "24 few"), ("ru", 11, "11 many")),
        *(("de", 1, "1 point"), ("de", 0, "0 points"), ("es", 21, "21 points")),
        *(("fr", 0, "0 point"), ("fr", 1, "1 point"), ("fr", 2, "2 points")),
        *(("hr", 101, "101 one"), ("hr", 4, "4 few"), ("hr", 14, "14 many"), ("hr", -1, "-1 one")),
    ],
)
def test_a_number_decides_the_form(lang: str, count: int, wanted: str) -> None:
    template = "{n|point|points}" if lang in locales.TWO_FORMS else "{n|one|few|many}"
    assert locales.fill(lang, template, {"n": count}) == wanted


TERMS = [
    ("caylus", "ru", "terms.title", "Кайлюс"),
    ("caylus", "ru", "terms.buildings.fixed_peddler", "Уличный торговец"),
    ("caylus", "ru", "terms.buildings.wood_peddler", "Деревянный уличный торговец"),
    ("caylus", "ru", "terms.sections.dungeon", "Донжон"),
    ("caylus", "ru", "terms.phases.special_buildings", "Активация особых построек"),
    ("caylus", "ru", "terms.phases.scoring", "Конец раунда"),
    ("caylus", "ru", "terms.pieces.round", "раунд"),
    ("caylus", "hr", "story.inn_entered", "prelazi u desni kružić krčme"),
    ("caylus", "hr", "terms.buildings.fixed_peddler", "Torbar"),
    ("caylus", "hr", "terms.buildings.wood_peddler", "Drveni torbar"),
    ("caylus", "hr", "terms.pieces.round", "krug"),
    ("caylus", "hr", "terms.reasons.stables_full", "staje su pune"),
    ("caylus", "nl", "terms.buildings.lawyer", "Notaris"),
    ("caylus", "nl", "terms.reasons.lawyer_not_converted", "een notaris wordt nooit een woning"),
    ("caylus", "nl", "terms.phases.scoring", "Baljuw verplaatsen en eventueel scoren"),
    ("caylus", "nl", "terms.phases.buildings", "Activeren van overige gebouwen"),
    ("caylus", "nl", "story.favour_taken", "Koninklijke gunst: {line}, kolom {column}"),
    ("caylus", "nl", "terms.amounts.any", "{n|grondstof|grondstoffen} naar keuze"),
    ("caylus", "pl", "terms.pieces.provost", "Burmistrz"),
    ("caylus", "pl", "terms.effects.stables", "wcześniejsze miejsce w kolejności tury"),
    ("caylus", "pl", "terms.phases.special_buildings", "Aktywacja budynków specjalnych"),
    ("caylus", "pl", "terms.phases.scoring", "Koniec rundy"),
    ("caylus", "pl", "terms.pieces.round", "runda"),
    ("caylus", "de", "terms.pieces.provost", "Vogt"),
    ("caylus", "de", "terms.pieces.bailiff", "Seneschall"),
    ("caylus", "de", "terms.buildings.gold_mine", "Goldgrube"),
    ("caylus", "de", "terms.buildings.fixed_peddler", "Hausierer"),
    ("caylus", "de", "terms.spaces.joust_field", "Turnierplatz"),
    ("caylus", "fr", "terms.pieces.provost", "Prévôt"),
    ("caylus", "fr", "terms.pieces.bailiff", "Bailli"),
    ("caylus", "fr", "terms.sections.dungeon", "Donjon"),
    ("caylus", "fr", "terms.sections.walls", "Murailles"),
    ("caylus", "fr", "terms.buildings.lawyer", "Notaire"),
    ("caylus", "es", "terms.pieces.provost", "Preboste"),
    ("caylus", "es", "terms.pieces.bailiff", "Administrador"),
    ("carcassonne", "pl", "terms.features.road", "trakt"),
    ("carcassonne", "de", "terms.roles.r", "Wegelagerer"),
    ("carcassonne", "fr", "terms.features.monastery", "abbaye"),
    ("carcassonne", "es", "terms.pieces.follower", "seguidor"),
    ("general", "pl", "ui.round", "Runda {n} · {phase}"),
    ("general", "ru", "ui.round", "Раунд {n} · {phase}"),
    ("general", "hr", "story.game_created", "Stol je otvoren"),
    ("general", "ru", "story.game_created", "Стол открыт"),
]


@pytest.mark.parametrize(("part", "lang", "path", "term"), TERMS)
def test_the_terms_of_the_rule_documents_are_used(
    part: str, lang: str, path: str, term: str
) -> None:
    assert dict(flatten(WORDS[part][lang]))[path] == term


WRONG = {
    "pl": r"[Tt]ura \{|tej tur|następnej tur|Zgodzili",
    "hr": r"[Šš]vercer|konjušnic|postavljen\b|Stupac \{",
    "nl": r"advocaat|grondstuk|prestige gebouw",
    "ru": r"Кейлюс|адвокат|накрыт|Ход \{|этот ход|столбц|Столбец",
    "de": r"Kärtchen|Meeple|Landvogt|Denare|[Bb]urg\b|(?<=[a-zäöüß,] )(?:Sie|Ihre?[nmrs]?)\b",
    "es": r"[Aa]lguacil|[Aa]bogado|peón|\b[Uu]sted",
    "fr": r"[Aa]vocat|[Mm]onastère|[Pp]révot\b|[Bb]ailiff|\btu\b|\btes\b",
    "en": r"Tile \{|Column \{|\btable is laid",
}
"""Words that the rule documents do not have, or that mean something else."""

WITH_DOCUMENTS = sorted({part for part, *_ in TERMS})


@pytest.mark.parametrize(
    ("part", "lang"), [(part, lang) for part in WITH_DOCUMENTS for lang in WRONG]
)
def test_no_text_has_a_wrong_term(part: str, lang: str) -> None:
    wrong = re.compile(WRONG[lang])
    assert {path: text for path, text in flatten(WORDS[part][lang]) if wrong.search(text)} == {}


@pytest.mark.parametrize("seats", [(1, "wolne miejsce jeszcze zostało"), (5, "zostało")])
def test_free_seats_agree_with_their_number_in_polish(seats: tuple[int, str]) -> None:
    template = locales.words("pl")["ui"]["waiting"]["open"]
    assert f"{seats[0]} wol" in (said := locales.fill("pl", template, {"n": seats[0]}))
    assert seats[1] in said
    for few in (2, 3, 4):
        assert "wolne miejsca jeszcze zostały" in locales.fill("pl", template, {"n": few})


def test_the_story_says_nothing_in_a_gender_in_russian() -> None:
    """The service does not know the gender of a player: no name stands with a past tense."""
    past = re.compile(r"\{(?:name|by|seat|former|target)\} \w+(?:л|ла|лся|лась)\b")
    for own in WORDS.values():
        found = flatten(own.get("ru", {}).get("story", {}), "story.")
        assert [path for path, text in found if past.search(text)] == []


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_every_tile_of_carcassonne_has_a_name_and_no_letter(lang: str) -> None:
    names = OFFERS["carcassonne"].words.terms(lang)["tiles"]
    assert "".join(names) == "ABCDEFGHIJKLMNOPQRSTUVWX"
    assert len(set(names.values())) == len(names)


TYPOGRAPHY = {
    "fr": r" [:;!?»]|« |(?<![\u202f\u00a0.])[;!?]|(?<!\u00a0):(?!\})|'",
    "de": r"\"|'|«|»",
    "es": r"\"|'|^[^¿]*\?|^[^¡]*!",
}
"""What is not set so in a language. French has a narrow space before ; ! ? that never breaks, and a
wide one before the colon; the quotes are « », „ “ and « »; Spanish opens a question and a call."""


@pytest.mark.parametrize("lang", TYPOGRAPHY)
@pytest.mark.parametrize("part", WITH_DOCUMENTS)
def test_the_signs_are_set_as_in_books_of_the_language(part: str, lang: str) -> None:
    wrong = re.compile(TYPOGRAPHY[lang])
    lesson = dict(flatten(OFFERS[part].words.lesson(lang))) if part in OFFERS else {}
    every = {**dict(flatten(WORDS[part][lang])), **lesson}
    plain = {path: re.sub(r"\{[^{}]*\}", "{}", text) for path, text in every.items()}
    assert {path: text for path, text in plain.items() if wrong.search(text)} == {}
