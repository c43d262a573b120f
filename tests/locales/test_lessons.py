"""What people learn a game with: in every language, and the prepared games are playable."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cartulary import locales
from cartulary.engine.transcript import Playback, from_json
from tests.support.games import ALL_GAMES, ALL_OFFERS

PREPARED = Path(__file__).parent.parent.parent / "web" / "learn"
GAMES = [name for name, offer in ALL_OFFERS.items() if offer.words.lesson("en")]
PERSON = 0


def prepared(game: str) -> Any:
    """Return the prepared game of a lesson."""
    return json.loads((PREPARED / f"{game}.json").read_text(encoding="utf-8"))


def lesson(game: str, lang: str) -> Any:
    """Return the words of a lesson."""
    return ALL_OFFERS[game].words.lesson(lang)


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_says_the_same_things_in_every_language(game: str, lang: str) -> None:
    own, english = lesson(game, lang), lesson(game, "en")
    assert list(own["rules"]) == list(english["rules"])
    assert list(own["guide"]["steps"]) == list(english["guide"]["steps"])
    assert own["guide"]["lead"]
    for section in own["rules"].values():
        assert section["title"]
        assert len(section["text"]) > 60
    for step in own["guide"]["steps"].values():
        assert step["do"].endswith(".")
        assert step["why"].endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_a_section_for_each_decision_or_its_phase(game: str) -> None:
    """The link of a table leads to the section of the decision, else to that of the phase."""
    sections = lesson(game, "en")["rules"].keys()
    terms = ALL_OFFERS[game].words.terms("en")
    phases = terms.get("phases", {})
    assert phases.keys() - {*sections, "over"} == set()
    if not phases:
        assert terms["asks"].keys() <= sections


@pytest.mark.parametrize("game", GAMES)
def test_each_move_of_a_guided_game_is_legal_and_answers_the_kind_that_it_names(game: str) -> None:
    file = prepared(game)
    script = file["script"]
    moves = [{"seat": entry["seat"], "move": entry["move"]} for entry in script]
    whole = {**file["transcript"], "moves": [*file["transcript"]["moves"], *moves]}
    playback = Playback(from_json(whole, ALL_GAMES), ALL_GAMES)
    for _ in file["transcript"]["moves"]:
        playback.step()
    for entry in script:
        decision = playback.state.decision
        assert decision is not None
        assert (decision.seat, decision.kind) == (entry["seat"], entry["kind"])
        assert entry["move"] in playback.state.legal_moves()
        playback.step()
    assert not playback.state.over


@pytest.mark.parametrize("game", GAMES)
def test_a_guided_game_is_about_a_dozen_steps_and_each_has_its_words(game: str) -> None:
    said = [entry.get("say") for entry in prepared(game)["script"] if entry["seat"] == PERSON]
    assert said == list(lesson(game, "en")["guide"]["steps"])
    assert 10 <= len(said) <= 15


NUMBER = re.compile(r"\{([a-z_]+)\.([a-z_]+)((?:\.[a-z_0-9]+)+)(?:\+(\d+))?\}")
"""A number that the client takes from the catalogue (`web/js/learn/lesson_numbers.js`)."""


def texts(game: str, lang: str) -> dict[str, str]:
    """Return the rules and the reasons of the guide by their names."""
    own = lesson(game, lang)
    rules = {name: section["text"] for name, section in own["rules"].items()}
    return rules | {f"guide {name}": step["why"] for name, step in own["guide"]["steps"].items()}


def numbers(game: str, **chosen: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what a path of a text may lead to: the members of each piece."""
    rules = ALL_OFFERS[game].rules
    options = {option.name: option.default for option in rules.options} | chosen
    found = {}
    for piece in rules.list_pieces(options):
        found[piece.kind, piece.id] = {**piece._asdict(), **piece.does}
    return found


def fill(text: str, pieces: dict[tuple[str, str], dict[str, Any]]) -> str:
    def part(found: re.Match[str]) -> str:
        value: Any = pieces[found[1], found[2]]
        for name in found[3][1:].split("."):
            value = value[int(name) if name.isdigit() else name]
        assert isinstance(value, int)
        return str(value + int(found[4] or 0))

    return NUMBER.sub(part, text)


@pytest.mark.parametrize("lang", locales.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_of_a_lesson_are_those_of_the_pieces(game: str, lang: str) -> None:
    variants = numbers(game, favours="simplified") if game == "caylus" else {}
    pieces = variants | numbers(game)
    english = texts(game, "en")
    for name, text in texts(game, lang).items():
        assert sorted(NUMBER.findall(text)) == sorted(NUMBER.findall(english[name])), name
        assert not re.search(r"[{}]", fill(text, pieces)), name
    assert sum(len(NUMBER.findall(text)) for text in english.values()) >= 9


@pytest.mark.parametrize("lang", locales.LANGUAGES)
def test_a_lesson_differs_where_the_editions_differ(lang: str) -> None:
    """Rules 1.4: the Lawyer."""
    first, second = (
        {
            name: fill(text, numbers("caylus", edition=edition, favours="simplified"))
            for name, text in texts("caylus", lang).items()
        }
        for edition in ("first", "second")
    )
    assert [name for name in first if first[name] != second[name]] == ["buildings"]
    assert first["buildings"].replace("4", "3") == second["buildings"]


def test_a_game_without_a_lesson_has_no_words_for_it() -> None:
    assert locales.GameWords({}).lesson("en") == {}
    words = locales.GameWords({}, {"en": {"rules": {}}})
    assert words.lesson("pl") == {"rules": {}}
