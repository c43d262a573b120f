"""Why a move is good (`bots.reasons`): the facts that it causes, and what the evaluation sees."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cartulary.bots.reasons import MOST, explain
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json, State
from cartulary.locales import LANGUAGES
from cartulary.locales.reasoning import Sentences
from tests.support.games import ALL_OFFERS

NAMES = ["Ada", "Bo", "Cy"]

REASONED = sorted(name for name, offer in ALL_OFFERS.items() if offer.reasons)

DOCUMENT = Path(__file__).parents[2] / "docs" / "facts.md"


def play_game(game: str, seats: int, seed: int) -> Iterator[tuple[State[Any], Any]]:
    """Every decision of a game of mixed quality, with the move that answers it."""
    rng, rules = random.Random(seed), ALL_OFFERS[game].rules
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, rng))
    source = RandomSource(rng)
    state.settle(source)
    while not state.over:
        bots = list(ALL_OFFERS[game].bots)
        name = "medium" if "medium" in bots and rng.random() < 0.8 else "random"
        move = ALL_OFFERS[game].bots[name].bot(state, rng)
        yield state, move
        state.play(move)
        state.settle(source)


@cache
def explained(game: str) -> list[tuple[str, int, list[Json]]]:
    """Kind, number of legal moves and explanation of each decision of some games."""
    return [
        (state.kind, len(state.moves()), explain(ALL_OFFERS[game].reasons, state, move))
        for seed in (1, 2, 3)
        for state, move in play_game(game, seed % 2 + 2, seed)
    ]


def reasons_of(game: str, facts: list[Json]) -> list[Json]:
    phrases = ALL_OFFERS[game].words.words("en")["story"]["reasons"]
    keys = {key.split("_")[0] for key in phrases}
    return [fact for fact in facts if fact["type"] in keys]


@pytest.mark.parametrize("game", REASONED)
def test_an_explanation_changes_nothing_and_is_repeated(game: str) -> None:
    for number, (state, move) in enumerate(play_game(game, 2, 4)):
        if number % 9 == 0:
            before = state.dump()
            found, again = (explain(ALL_OFFERS[game].reasons, state, move) for _ in range(2))
            assert json.loads(json.dumps(found)) == found == again
            assert state.dump() == before
            assert state.facts is None


@pytest.mark.parametrize("game", REASONED)
def test_the_facts_that_the_move_causes_come_first(game: str) -> None:
    for state, move in play_game(game, 2, 5):
        position = state.copy()
        caused: list[Json] = []
        position.facts = caused
        position.play(move)
        assert explain(ALL_OFFERS[game].reasons, state, move)[: len(caused)] == caused
        if state.kind in ("bribe", "castle"):
            break


@pytest.mark.parametrize("game", REASONED)
@pytest.mark.slow
def test_a_decision_with_a_choice_has_one_to_four_reasons(game: str) -> None:
    for kind, moves, facts in explained(game):
        if moves > 1:
            assert 1 <= len(reasons_of(game, facts)) <= MOST, kind


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", REASONED)
@pytest.mark.slow
def test_every_decision_with_a_choice_has_a_sentence_in_every_language(
    game: str, lang: str
) -> None:
    sentences, words = Sentences(lang, NAMES), ALL_OFFERS[game].words
    seen = set()
    for kind, moves, facts in explained(game):
        if moves > 1:
            seen.add(kind)
            said = sentences.say(words, facts)
            assert said, facts
            assert not re.search(r"[{}|]|\w_\w|None|\.$", said), said
    assert seen >= DECISIONS.get(game, set())


DECISIONS: dict[str, set[str]] = {
    "carcassonne": {"place_tile", "place_follower"},
    "caylus": {
        *("place_worker", "gate", "merchants_guild", "bribe", "produce", "trade", "build"),
        *("castle", "favour"),
    },
}
"""The kinds of decisions that the games of this test certainly have."""


@pytest.mark.parametrize("game", REASONED)
@pytest.mark.slow
def test_the_document_names_every_reason_that_has_words(game: str) -> None:
    part = DOCUMENT.read_text(encoding="utf-8").split("## Reasons")[1]
    rows = re.findall(r"^\| (`[^|]+) \|", part, flags=re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    phrases = ALL_OFFERS[game].words.words("en")["story"]["reasons"]
    assert {key.split("_")[0] for key in phrases} <= documented
    told = {fact["type"] for _, _, facts in explained(game) for fact in facts}
    assert told - ALL_OFFERS[game].contract.facts.keys() <= documented


def test_a_closed_city_says_its_points_and_who_comes_home() -> None:
    for _, _, facts in explained("carcassonne"):
        closed = [fact for fact in facts if fact["type"] == "closes"]
        if closed and any(fact["type"] == "home" for fact in facts):
            points = [f["points"] for f in facts if f["type"] == "points"]
            assert closed[0]["points"] in points
            said = Sentences("en", NAMES).say(ALL_OFFERS["carcassonne"].words, facts)
            assert re.match(r"(closes|completes) the \w+, \d+ points?, .*brings 1 \w+ home", said)
            return
    pytest.fail("no game completes a feature with a follower of before")


def test_the_last_move_promises_nothing_that_would_need_another_turn() -> None:
    told = set()
    for seed in range(8):
        played = play_game("carcassonne", 2, seed)
        state, move = [(state.copy(), move) for state, move in played][-1]
        after = state.copy()
        after.play(move)
        points = [judged.final().scores for judged in (state, after)]
        facts = reasons_of("carcassonne", explain(ALL_OFFERS["carcassonne"].reasons, state, move))
        told |= {fact["type"] for fact in facts}
        counted = sum(fact["points"] for fact in facts if fact["type"] in GAINS)
        if state.kind == "place_follower":
            assert counted == points[1][state.seat] - points[0][state.seat]
    assert "counts" in told
    assert not told & {"claims", "extends", "enlarges", "takes", "shares", "keeps"}


GAINS = ("closes", "counts", "feeds")
"""The reasons of Carcassonne with points that the seat gets, whatever else happens."""


def test_a_game_without_reasons_has_the_facts_of_the_move() -> None:
    for state, move in play_game("tictactoe", 2, 1):
        position = state.copy()
        caused: list[Json] = []
        position.facts = caused
        position.play(move)
        assert explain(ALL_OFFERS["tictactoe"].reasons, state, move) == caused
