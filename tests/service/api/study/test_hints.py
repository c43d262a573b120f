"""`GET /games/{id}/hint`: the move that a strong bot would make, in practice games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from cartulary.bots.base import BotEntry
from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES
from tests.service.support.caller import Caller
from tests.service.support.scene import problem

BOT = {"kind": "bot", "bot": "random"}
ME = {"kind": "me"}


def practise(caller: Caller, *seats: dict[str, str], **more: Any) -> str:
    """Open a practice game with hints; seat 0 is asked first."""
    return str(caller.open(seats=[*(seats or (ME, BOT))], **{"hints": True, **more})["id"])


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `hard` of Carcassonne has thought about since the test began."""
    hard: BotEntry = OFFERS["carcassonne"].bots["hard"]
    found: list[Any] = []
    think = hard.think

    def note(*arguments: Any) -> Any:
        found.append(arguments)
        return think(*arguments)

    monkeypatch.setattr(hard, "think", note)
    return found


@pytest.mark.slow
def test_a_hint_is_a_legal_move_with_its_reasons(ada: Caller) -> None:
    game = practise(ada)
    hint = ada.get(f"/games/{game}/hint")
    assert hint.status_code == 200
    assert hint.headers["Cache-Control"] == "no-store"
    assert hint.json["version"] == ada.version(game)
    assert hint.json["move"] in ada.legal(game)
    assert {"type": "tile_placed"}.items() <= hint.json["why"][0].items()
    assert hint.json["text"]


def test_the_hint_of_a_position_is_computed_once(ada: Caller, thoughts: list[Any]) -> None:
    game = practise(ada)
    said = [ada.get(f"/games/{game}/hint").json for _ in range(3)]
    assert said == [said[0]] * 3
    assert len(thoughts) == 1


@pytest.mark.slow
def test_the_hint_of_a_position_is_the_same_in_every_process(
    make_app: Callable[..., Flask], ada: Caller, thoughts: list[Any]
) -> None:
    game = practise(ada)
    there = Caller(make_app().test_client(), ada.token)
    assert ada.get(f"/games/{game}/hint").json == there.get(f"/games/{game}/hint").json
    assert len(thoughts) == 2


@pytest.mark.slow
def test_the_text_is_in_the_language_asked_for(ada: Caller, thoughts: list[Any]) -> None:
    game = practise(ada)
    texts = set()
    for lang in LANGUAGES:
        answer = ada.get(f"/games/{game}/hint", headers={"Accept-Language": lang})
        assert answer.headers["Content-Language"] == lang
        texts.add(answer.json["text"])
    assert len(texts) == len(LANGUAGES)
    assert len(thoughts) == 1


@pytest.mark.slow
def test_a_hint_follows_the_position(ada: Caller) -> None:
    game = practise(ada)
    first = ada.get(f"/games/{game}/hint").json
    assert ada.move(game, first["move"]).status_code == 201
    if ada.get(f"/games/{game}").json["decision"]["seat"] == 0:
        second = ada.get(f"/games/{game}/hint").json
        assert second["version"] > first["version"]
        assert second["move"] in ada.legal(game)


def test_a_game_without_hints_gives_none(ada: Caller) -> None:
    game = practise(ada, hints=False)
    problem(ada.get(f"/games/{game}/hint"), 409, "hints_off")


def test_while_a_bot_is_asked_there_is_no_hint(ada: Caller) -> None:
    game = practise(ada, BOT, ME)
    refused = ada.get(f"/games/{game}/hint")
    problem(refused, 409, "not_your_turn")
    assert refused.json["decision"]["seat"] == 0


@pytest.mark.slow
def test_a_game_that_does_not_run_gives_no_hint(ada: Caller) -> None:
    game = practise(ada, start="host")
    problem(ada.get(f"/games/{game}/hint"), 409, "game_not_running")
    assert ada.post(f"/games/{game}/abort", {}).status_code == 201
    problem(ada.get(f"/games/{game}/hint"), 409, "game_not_running")


def test_a_hint_is_for_the_player_at_the_table(ada: Caller, bob: Caller, visitor: Caller) -> None:
    public, private = practise(ada), practise(ada, visibility="private")
    problem(bob.get(f"/games/{public}/hint"), 403, "not_seated")
    problem(bob.get(f"/games/{private}/hint"), 404, "not_found")
    problem(visitor.get(f"/games/{public}/hint"), 401, "token_missing")
    problem(ada.get("/games/01ARZ3NDEKTSV4RRFFQ69G5FAV/hint"), 404, "not_found")


def test_an_unknown_parameter_is_refused(ada: Caller) -> None:
    problem(ada.get(f"/games/{practise(ada)}/hint?level=expert"), 422, "invalid")


def test_a_player_asks_for_a_bounded_number_of_hints(
    make_app: Callable[..., Flask], ada: Caller
) -> None:
    one, other = practise(ada), practise(ada)
    caller = Caller(make_app(rates={"hints": "1/minute"}).test_client(), ada.token)
    for game in (one, one):
        assert caller.get(f"/games/{game}/hint").status_code == 200
    refused = caller.get(f"/games/{other}/hint")
    problem(refused, 429, "rate_limited")
    assert int(refused.headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    "seats",
    [
        [ME, {"kind": "open"}],
        [ME, ME],
        [ME, BOT, {"kind": "open"}],
        [BOT, BOT],
    ],
)
def test_only_a_practice_game_may_have_hints(ada: Caller, seats: list[Any]) -> None:
    body = {"game": "carcassonne", "seats": seats, "hints": True}
    refused = ada.post("/games", body)
    problem(refused, 422, "invalid")
    assert [error["pointer"] for error in refused.json["errors"]] == ["/hints"]
    assert "practice" in refused.json["errors"][0]["detail"]


@pytest.mark.parametrize("hints", ["true", 1, "yes"])
def test_hints_are_true_or_false(ada: Caller, hints: Any) -> None:
    body = {"game": "carcassonne", "seats": [ME, BOT], "hints": hints}
    problem(ada.post("/games", body), 422, "invalid")
