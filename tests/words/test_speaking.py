"""Moves as sentences and tables as texts, over random games of both kinds."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import cartulary
from cartulary.locales import LANGUAGES, GameWords
from cartulary.match import Match
from cartulary.words.fitting import MORE
from cartulary.words.quoting import quote_name
from cartulary.words.speaker import LIMIT, SeenTable, Speaker, say_moves, tell_table
from tests.support.games import ALL_OFFERS
from tests.support.night import short_or_long

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "carcassonne": [{}, {"tiny_city": 2}],
    "caylus": [{}, {"favours": "simplified"}, {"edition": "second"}],
}
NAME = "W" * 60
GAMES = [(game, seats, number) for game in OPTIONS for seats in (2, 3, 4, 5) for number in (1, 2)]


def see(match: Match, own: tuple[int, ...] = (0,)) -> SeenTable:
    state, decision = match.state, match.state.decision
    return SeenTable(
        status="running",
        names=[NAME] * state.seats,
        own=own,
        view=state.view(),
        decision=decision and decision.to_json(),
        features=state.list_features(),
        moves=state.legal_moves(),
    )


def play(game: str, seats: int, number: int, each: int = 1) -> Iterator[tuple[SeenTable, str]]:
    """Yield tables of a game that begins at random and goes on sensibly, with a language each.

    Random moves alone never bring most of Caylus about, and a bot alone seldom builds much.
    """
    options = OPTIONS[game][(seats + number) % len(OPTIONS[game])]
    match = cartulary.new_game(game, seats, seed=number, options=options)
    rng, count = random.Random(number), 0
    while not match.over:
        if count % each == 0:
            yield see(match), LANGUAGES[(count // each) % len(LANGUAGES)]
        if rng.random() < 0.5:
            match.play_bot("easy")
        else:
            match.play(rng.choice(match.legal_moves()))
        count += 1


@pytest.mark.parametrize(("game", "seats", "number"), GAMES[:: short_or_long(2, 1)])
@pytest.mark.slow
def test_no_two_moves_of_a_position_have_the_same_sentence(
    game: str, seats: int, number: int
) -> None:
    offer = ALL_OFFERS[game]
    for table, lang in play(game, seats, number, short_or_long(3, 1)):
        said = say_moves(offer.speaker, offer.words, lang, table)
        assert len(said) == len(table.moves) > 0
        assert len({*said}) == len(said), (lang, [one for one in said if said.count(one) > 1])
        assert not [one for one in said if re.search(r"[{}]|\bui\b|_", one)], (lang, said)
        assert all(one[:1] == one[:1].upper() for one in said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "number"), GAMES[short_or_long(6, 0) :: short_or_long(8, 1)]
)
def test_a_table_has_two_thousand_characters_at_most_and_whole_words(
    game: str, seats: int, number: int
) -> None:
    offer, shortened = ALL_OFFERS[game], 0
    for table, lang in play(game, seats, number, short_or_long(9, 2)):
        whole = tell_table(offer.speaker, offer.words, lang, table, 10**6)
        text = tell_table(offer.speaker, offer.words, lang, table)
        assert len(text) <= LIMIT
        assert not re.search(r"[{}]|\bui\.", text), text
        shortened += MORE in text
        left = re.sub(rf"{re.escape(MORE)}\d+", "", text)
        assert {one.rstrip(",;") for one in left.split()} <= {
            one.rstrip(",;") for one in whole.split()
        }
        head = whole.splitlines()[: 2 + seats]
        assert text.splitlines()[: 2 + seats] == head, "what matters most is never left out"
        assert head[2].count(quote_name(NAME)) == 1
    assert shortened or seats < 5 or game == "caylus"


@pytest.mark.parametrize("game", OPTIONS)
def test_a_table_says_who_is_asked_what_each_seat_has_and_where_things_stand(game: str) -> None:
    match = cartulary.new_game(game, 3, seed=4)
    while len(match.moves) < 40:
        match.play_bot("medium")
    offer, table = ALL_OFFERS[game], see(match, (1,))
    text = tell_table(offer.speaker, offer.words, "en", table)
    view, decision = match.view, match.state.decision
    assert decision is not None
    assert f"Seat {decision.seat + 1}: {offer.words.terms('en')['asks'][decision.kind]}" in text
    assert re.search(rf"Seat 2 {quote_name(NAME)} \(you\): ", text)
    if game == "caylus":
        assert f"Provost: space {view['provost']}; Bailiff: space {view['bailiff']}" in text
        for space in view["road"]:
            number, building = space["space"].removeprefix("road-"), space["building"]
            if building is not None:
                owner = "" if space["owner"] is None else f" (Seat {space['owner'] + 1}"
                called = offer.words.terms("en")["buildings"][building]
                assert f"{number} {called}{owner}" in text
        for player in view["players"]:
            assert f"{player['deniers']} denier" in text or not player["deniers"]
    else:
        for seat, score in enumerate(view["scores"]):
            followers = view["followers"][seat]
            said = f"{score} points, {followers} follower{'' if followers == 1 else 's'}"
            assert re.search(rf"Seat {seat + 1} .*: {said}\n", text)
        laid = {(one["x"], one["y"]) for one in view["board"]}
        places = {
            (x + dx, y + dy) for x, y in laid for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        assert all(f"({x}, {y}) " in text for x, y in places - laid)


def test_the_sides_of_a_tile_and_of_an_open_place_are_those_of_the_rules() -> None:
    """The start tile D: a city in the north, a road from east to west, a field in the south."""
    match = cartulary.new_game("carcassonne", 2, seed=1)
    offer, table = ALL_OFFERS["carcassonne"], see(match)
    text = tell_table(offer.speaker, offer.words, "en", table)
    for place in ("(0, -1) south city", "(1, 0) west road", "(0, 1) north field"):
        assert place in text
    for move, said in zip(
        table.moves, say_moves(offer.speaker, offer.words, "en", table), strict=True
    ):
        meets = {(0, -1): "south city", (1, 0): "west road", (-1, 0): "east road"}
        assert meets.get((move["x"], move["y"]), "north field") in said


def test_a_game_without_words_of_its_own_says_its_moves_as_they_are() -> None:
    table = SeenTable(status="running", names=["Ada", None], moves=[{"type": "mark", "cell": 3}])
    assert say_moves(Speaker(), GameWords({}), "en", table) == ['{"type": "mark", "cell": 3}']
    text = tell_table(Speaker(), GameWords({}), "en", table)
    assert text.splitlines()[2] == 'Seat 1 "Ada"'
    assert text.splitlines()[3].startswith("Seat 2 (Open")


def test_a_table_whose_score_is_counted_says_who_has_won() -> None:
    result = {"winners": [1], "scores": [12, 55], "breakdown": []}
    table = SeenTable(status="over", names=["Ada", "Bob"], result=result)
    text = tell_table(Speaker(), GameWords({}), "en", table)
    assert "Won by Seat 2; Seat 1: 12 points; Seat 2: 55 points" in text
