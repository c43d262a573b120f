"""Why a move is not legal, in words (`locales.reasons`)."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES, words
from cartulary.locales.reasons import Reasons

ENGINE = Path(__file__).parents[2] / "engine"

DETAILS: dict[str, Any] = {
    "seat": 1,
    "goods": {"deniers": 2},
    "held": 0,
    "building": "lawyer",
    "space": "road-7",
    "n": 3,
    "line": "cubes",
    "column": 2,
    "choices": [{"wood": 1, "food": 1}, {"gold": 1}],
    "holders": [0, 1],
    "segment": "c0",
    "clashes": [{"side": "north", "edge": "city", "meets": "field"}],
}


def list_rules(game: str) -> dict[str, set[str]]:
    """Return the rules that the modules of a game name in a `Reason`, with their details."""
    found: dict[str, set[str]] = {}
    for path in (ENGINE / game).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
                rule = ast.literal_eval(node.args[1])
                names = {keyword.arg for keyword in node.keywords if keyword.arg}
                found.setdefault(rule, names).intersection_update(names)
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", sorted(filter(list_rules, OFFERS)))
@pytest.mark.slow
def test_every_reason_has_a_sentence_in_every_language(game: str, lang: str) -> None:
    reasons = Reasons(lang, OFFERS[game].words, ["Ada", "Bert"])
    ask = OFFERS[game].words.terms("en")["asks"]
    rules = list_rules(game)
    for rule, names in rules.items():
        details = {name: next(iter(ask)) if name == "ask" else DETAILS[name] for name in names}
        said = reasons.tell(rule, details)
        assert said.endswith((".", "?")) or rule == "other_question", rule
        assert not re.search(r"[{}_]", said), said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.slow
def test_no_language_tells_a_reason_that_the_engine_never_gives(lang: str) -> None:
    known: set[str] = {"legal", "play_over"}
    for game, offer in OFFERS.items():
        rules = list_rules(game).keys()
        known |= rules
        assert offer.words.terms(lang).get("reasons", {}).keys() <= rules
    assert words(lang)["terms"]["reasons"].keys() <= known


def test_a_price_says_what_it_takes_and_what_is_there() -> None:
    reasons = Reasons("en", OFFERS["caylus"].words, ["Ada", "Bert"])
    details = {"seat": 1, "goods": {"deniers": 3}, "held": 1}
    assert reasons.tell("cannot_pay", details) == "It takes 3 deniers; Bert has 1."


def test_edges_that_differ_are_named_by_their_sides() -> None:
    reasons = Reasons("en", OFFERS["carcassonne"].words, ["Ada", "Bert"])
    said = reasons.tell("edges_differ", {"clashes": DETAILS["clashes"]})
    assert said == "The edges do not match (north: city – field)."


def test_a_rule_without_a_phrase_has_the_words_of_the_engine() -> None:
    reasons = Reasons("pl", OFFERS["caylus"].words, [])
    assert reasons.tell("a_new_rule", {}, "it is new") == "it is new"
