"""Standing answers over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.support.caller import Caller

SKIP = {"type": "skip_follower"}
SKIPPING = {"kind": "place_follower", "move": SKIP, "until": "game"}


@pytest.fixture
def game(ada: Caller, bob: Caller) -> str:
    """The id of a game of Carcassonne in which Ada and Bob sit."""
    game_id: str = ada.open("me", "open")["id"]
    assert bob.post(f"/games/{game_id}/seats", {}).status_code == 201
    return game_id


def test_the_answer_to_a_move_holds_the_standing_answers_that_follow(
    ada: Caller, game: str
) -> None:
    answer = ada.put(f"/games/{game}/standing_answers", {"answers": [SKIPPING]})
    assert (answer.status_code, answer.json) == (200, {"answers": [SKIPPING]})
    made = ada.move(game)
    assert made.status_code == 201
    event, follows = made.json["events"]
    assert made.json["event"] == event
    assert "by" not in event
    assert (follows["by"], follows["move"], follows["seat"]) == ("standing_answer", SKIP, 0)
    assert made.json["version"] == follows["version"] == event["version"] + 1
    assert made.headers["ETag"] == f'"v{follows["version"]}"'
    assert made.json["game"]["version"] == follows["version"]
    stored = ada.get(f"/games/{game}/events?after={event['version'] - 1}").json["events"]
    assert stored == [event, follows]
    assert ada.get(f"/games/{game}/verification").json["valid"]


def test_without_until_an_answer_holds_for_the_game(ada: Caller, game: str) -> None:
    asked = {"answers": [{"kind": "place_follower", "move": SKIP}]}
    answer = ada.put(f"/games/{game}/standing_answers", asked)
    assert answer.json == {"answers": [SKIPPING]}


def test_they_are_private(ada: Caller, bob: Caller, game: str) -> None:
    path = f"/games/{game}/standing_answers"
    ada.put(path, {"answers": [SKIPPING]})
    answer = ada.get(path)
    assert answer.json == {"answers": [SKIPPING]}
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Vary"] == "Authorization"
    assert bob.get(path).json == {"answers": []}
    assert Caller(ada.client).get(path).json["code"] == "token_missing"
    assert "standing" not in bob.get(f"/games/{game}").text


def test_a_key_gives_the_stored_answer_and_changes_nothing_again(ada: Caller, game: str) -> None:
    path, key = f"/games/{game}/standing_answers", {"Idempotency-Key": "once"}
    first = ada.put(path, {"answers": [SKIPPING]}, headers=key)
    assert ada.put(path, {"answers": []}).json == {"answers": []}
    again = ada.put(path, {"answers": [SKIPPING]}, headers=key)
    assert (first.status_code, again.status_code, again.json) == (200, 200, first.json)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert ada.get(path).json == {"answers": []}
    other = ada.put(path, {"answers": []}, headers=key)
    assert (other.status_code, other.json["code"]) == (422, "idempotency_mismatch")


def test_who_has_no_seat_has_none(ada: Caller, bob: Caller) -> None:
    path = f"/games/{ada.open('me', 'me')['id']}/standing_answers"
    for answer in (bob.get(path), bob.put(path, {"answers": []})):
        assert (answer.status_code, answer.json["code"]) == (403, "not_seated")


@pytest.mark.parametrize(
    ("answers", "pointer"),
    [
        ([{**SKIPPING, "kind": "bribe"}], "/answers/0/kind"),
        ([{**SKIPPING, "move": {"type": "place_follower", "segment": "c0"}}], "/answers/0/move"),
        ([{**SKIPPING, "move": {"type": "place_tile"}}], "/answers/0/move"),
        ([{**SKIPPING, "move": "skip_follower"}], "/answers/0/move"),
        ([{**SKIPPING, "until": "round"}], "/answers/0/until"),
        ([{**SKIPPING, "until": "noon"}], "/answers/0/until"),
        ([SKIPPING, SKIPPING], "/answers/1/kind"),
        ([{**SKIPPING, "seat": 0}], "/answers/0/seat"),
        ([{"kind": "place_follower"}], "/answers/0/move"),
        ({}, "/answers"),
    ],
)
@pytest.mark.slow
def test_what_is_no_standing_answer_is_refused_with_its_place(
    ada: Caller, game: str, answers: Any, pointer: str
) -> None:
    path = f"/games/{game}/standing_answers"
    answer = ada.put(path, {"answers": answers})
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert pointer in [error["pointer"] for error in answer.json["errors"]]
    assert ada.get(path).json == {"answers": []}
