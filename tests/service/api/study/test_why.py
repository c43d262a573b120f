"""`GET /games/{id}/why`: why a move is not legal now."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.service.support.caller import Caller
from tests.support.small_transcript import small


@pytest.fixture
def game(ada: Caller) -> str:
    """A running game of Carcassonne; Ada has both seats."""
    return str(ada.open("me", "me")["id"])


def ask(caller: Caller, game: str, move: Any, **headers: str) -> dict[str, Any]:
    text = move if isinstance(move, str) else json.dumps(move)
    answer = caller.get(f"/games/{game}/why", query_string={"move": text}, headers=headers)
    assert answer.status_code == 200
    return dict(answer.json)


def place(x: int, y: int) -> dict[str, Any]:
    return {"type": "place_tile", "x": x, "y": y, "rotation": 0}


def test_a_move_that_breaks_a_rule_is_refused_with_the_rule(visitor: Caller, game: str) -> None:
    said = ask(visitor, game, place(0, 0))
    assert said == {
        "legal": False,
        "rule": "cell_taken",
        "reason": "the cell (0, 0) is occupied",
        "text": "A tile already lies there.",
    }


def test_the_text_is_in_the_language_asked_for(visitor: Caller, game: str) -> None:
    said = ask(visitor, game, place(0, 0), **{"Accept-Language": "nl"})
    assert said["text"] == "Daar ligt al een tegel."


def test_the_reason_is_that_of_the_refusal(ada: Caller, game: str) -> None:
    refused = ada.post(f"/games/{game}/moves", {"move": place(9, 9)})
    assert ask(ada, game, place(9, 9))["reason"] in refused.json["detail"]


@pytest.mark.slow
def test_a_legal_move_is_legal(visitor: Caller, game: str) -> None:
    move = visitor.get(f"/games/{game}/moves").json["moves"][0]
    said = ask(visitor, game, move)
    assert (said["legal"], said["rule"], said["reason"]) == (True, None, "")


def test_a_move_of_another_question_names_the_question(visitor: Caller, game: str) -> None:
    said = ask(visitor, game, {"type": "skip_follower"})
    assert said["rule"] == "other_question"
    assert said["text"] == "Something else is asked now: Where will you lay the tile?"


def test_a_finished_game_asks_nothing(ada: Caller, visitor: Caller) -> None:
    over = ada.post("/games/import", small()).json["id"]
    assert ask(visitor, over, place(0, 1))["rule"] == "play_over"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"type":NaN}'])
def test_what_is_no_move_is_invalid(visitor: Caller, game: str, text: str) -> None:
    answer = visitor.get(f"/games/{game}/why", query_string={"move": text})
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/move")


def test_a_missing_move_is_invalid(visitor: Caller, game: str) -> None:
    answer = visitor.get(f"/games/{game}/why")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/move")


def test_nobody_asks_about_a_private_game_of_others(ada: Caller, bob: Caller) -> None:
    game = ada.open("me", "me", visibility="private")["id"]
    answer = bob.get(f"/games/{game}/why", query_string={"move": "{}"})
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
