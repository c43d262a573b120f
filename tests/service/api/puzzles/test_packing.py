"""Packs over HTTP: filled, read with a tag, refused in words."""

from __future__ import annotations

import pytest

from cartulary.events.store import Store
from tests.events.support.handmade_puzzles import CITY, caylus_puzzle, put_puzzles, small_puzzle
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

PATH = "/puzzles/pack"
OF_GAME = f"{PATH}?game=carcassonne"


@pytest.fixture(autouse=True)
def puzzles(store: Store) -> None:
    put_puzzles(store, *map(small_puzzle, range(4)), caylus_puzzle())


def test_a_pack_has_all_that_judges_and_explains_and_comes_with_a_tag(ada: Caller) -> None:
    assert ada.get(OF_GAME).json == {"game": "carcassonne", "puzzles": []}
    ids = ada.post(PATH, {"game": "carcassonne", "number": 2}).json["puzzles"]
    answer = ada.get(OF_GAME)
    assert [one["id"] for one in answer.json["puzzles"]] == ids
    puzzle = answer.json["puzzles"][0]
    assert puzzle["best"] == [CITY]
    assert puzzle["after"].keys() == puzzle["facts"].keys() == {"best", "tempting"}
    assert "players" not in puzzle["transcript"]
    assert answer.headers["Cache-Control"] == "private, no-cache"
    again = ada.get(OF_GAME, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    ada.post(f"/puzzles/{ids[0]}/attempts", {"moves": CITY})
    changed = ada.get(OF_GAME, headers={"If-None-Match": answer.headers["ETag"]})
    assert [one["id"] for one in changed.json["puzzles"]] == ids[1:]


def test_fifty_are_packed_unless_the_request_says_less(ada: Caller) -> None:
    assert len(ada.post(PATH, {"game": "carcassonne"}).json["puzzles"]) == 4
    assert len(ada.post(PATH, {"game": "caylus", "number": 50}).json["puzzles"]) == 1


def test_an_attempt_without_a_network_is_sent_later_and_unrated(ada: Caller) -> None:
    first = ada.post(PATH, {"game": "carcassonne"}).json["puzzles"][0]
    body = {"moves": CITY, "seconds_ago": 3600}
    made = ada.post(f"/puzzles/{first}/attempts", body, headers={"Idempotency-Key": "one"})
    assert (made.status_code, made.json["right"], made.json["rated"]) == (201, True, False)
    assert made.json["player"] is None
    late = {**body, "seconds_ago": 3700}
    again = ada.post(f"/puzzles/{first}/attempts", late, headers={"Idempotency-Key": "one"})
    assert (again.status_code, again.json) == (200, made.json)
    other = ada.post(f"/puzzles/{first}/attempts", late, headers={"Idempotency-Key": "other"})
    problem(other, 409, "puzzle_answered")


def test_what_a_pack_cannot_be_is_refused_in_words(ada: Caller, visitor: Caller) -> None:
    problem(visitor.get(OF_GAME), 401, "token_missing")
    problem(visitor.post(PATH, {"game": "carcassonne"}), 401, "token_missing")
    for body in ({"game": "chess"}, {"game": "carcassonne", "number": 51}, {"number": 3}):
        answer = ada.post(PATH, body)
        problem(answer, 422, "invalid")
    assert pointers(ada.post(PATH, {"game": "chess"}).json) == ["/game"]
    problem(ada.get(f"{PATH}?game=chess"), 422, "invalid")
    refused = ada.post(f"/puzzles/{small_puzzle().id}/attempts", {"moves": CITY, "seconds_ago": 5})
    assert pointers(refused.json) == ["/seconds_ago"]
