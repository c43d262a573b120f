"""Puzzles over HTTP: what is shown before the answer and after it, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from cartulary.events.puzzles.shelf import PuzzleShelf
from cartulary.events.store import Store
from cartulary.explorer.questions import is_key
from tests.events.support.handmade_puzzles import (
    CITY,
    NOBODY,
    SOUTH,
    caylus_puzzle,
    put_puzzles,
    small_puzzle,
)
from tests.service.api.people.test_accounts import with_token
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

SMALL, CAYLUS = small_puzzle(), caylus_puzzle()
PATH = f"/puzzles/{SMALL.id}"


@pytest.fixture(autouse=True)
def puzzles(store: Store) -> None:
    put_puzzles(store, SMALL, small_puzzle(1, 1900, ("block",)), CAYLUS)


def test_the_games_with_puzzles_and_their_themes_are_listed(visitor: Caller) -> None:
    assert visitor.get("/puzzles").json == {
        "games": [
            {"game": "carcassonne", "themes": ["block", "city"]},
            {"game": "caylus", "themes": ["money"]},
        ]
    }


def test_the_puzzle_of_the_day_is_the_same_for_everybody(ada: Caller, visitor: Caller) -> None:
    own, other = ada.get("/puzzles/daily"), visitor.get("/puzzles/daily")
    assert own.json == other.json
    assert own.headers["Cache-Control"] == "private, no-cache"
    again = ada.get("/puzzles/daily", headers={"If-None-Match": own.headers["ETag"]})
    assert again.status_code == 304


def test_a_puzzle_shows_the_position_and_every_legal_move(visitor: Caller) -> None:
    shown = visitor.get(PATH).json
    assert SOUTH in shown["moves"]
    assert (shown["decision"]["seat"], shown["seat"], shown["line_moves"]) == (0, 0, 2)
    assert (shown["hint"], shown["answer"]) == (None, None)
    tried = visitor.post(f"{PATH}/preview", {"moves": []})
    problem(tried, 401, "token_missing")


def list_words(value: Any) -> set[str]:
    """Return all keys of a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*map(list_words, value.values()))
    return set().union(*map(list_words, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("puzzle", [SMALL, CAYLUS], ids=["carcassonne", "caylus"])
def test_before_the_answer_nothing_gives_it_away(ada: Caller, store: Store, puzzle: Any) -> None:
    """Two puzzles in one position that differ in all that follows from it show the same."""
    path = f"/puzzles/{puzzle.id}"
    reads = ["", "/board.svg", "/board.svg?layout=fit&step=0"]
    whole = [ada.get(path + read) for read in reads]
    tried = ada.post(f"{path}/preview", {"moves": puzzle.tempting[:1]})
    daily = [ada.get("/puzzles/daily").json["id"], ada.get("/puzzles/next").json["id"]]
    other = puzzle._replace(
        best=[puzzle.tempting],
        tempting=puzzle.best[0],
        after={"best": puzzle.after["tempting"], "tempting": puzzle.after["best"]},
        facts={"best": [], "tempting": []},
        themes=["other"],
        margin={"points": 9.9, "wins": 0.5},
        made={},
    )
    shelf = store.puzzles.shelf
    store.puzzles.shelf = PuzzleShelf(store.registry, ["carcassonne", "caylus"], shelf.load)
    put_puzzles(store, other, *(one for one in (SMALL, CAYLUS) if one.id != puzzle.id))
    assert [ada.get(path + read).data for read in reads] == [one.data for one in whole]
    assert ada.post(f"{path}/preview", {"moves": puzzle.tempting[:1]}).data == tried.data
    assert daily
    words = list_words(json.loads(whole[0].data))
    assert not words & {"best", "tempting", "after", "themes", "margin", "rating", "made", "facts"}
    for line in ("best", "tempting"):
        problem(ada.get(f"{path}/board.svg?line={line}&step=1"), 409, "puzzle_open")


def test_an_answer_is_judged_explained_and_kept(ada: Caller, bob: Caller) -> None:
    done = ada.post(f"{PATH}/attempts", {"moves": CITY})
    assert done.status_code == 201
    outcome = done.json
    assert (outcome["right"], outcome["rated"], outcome["hints"]) == (True, True, 0)
    assert outcome["player"]["after"]["rating"] > outcome["player"]["before"]["rating"] == 1500
    assert outcome["puzzle"]["rating"] < 1500
    assert [one["moves"] for one in outcome["accepted"]] == [CITY]
    assert outcome["best"]["line"] == CITY
    assert outcome["tempting"]["after"][1]["move"] == NOBODY[1]
    assert outcome["best"]["facts"][2]["type"] == "feature_completed"
    assert outcome["best"]["text"]
    assert ada.get(PATH).json["answer"] == outcome
    assert bob.get(PATH).json["answer"] is None
    assert bob.get(PATH).headers["ETag"] != ada.get(PATH).headers["ETag"]


def test_the_explanation_is_in_the_language_of_the_reader(ada: Caller) -> None:
    ada.post(f"{PATH}/attempts", {"moves": CITY})
    german, english = (
        ada.get(PATH, headers={"Accept-Language": lang}).json["answer"]["best"]["text"]
        for lang in ("de", "en")
    )
    assert german
    assert german != english


def test_after_the_answer_each_step_of_both_futures_has_a_picture(ada: Caller) -> None:
    ada.post(f"{PATH}/attempts", {"moves": NOBODY})
    drawn = [
        ada.get(f"{PATH}/board.svg?line={line}&step={step}")
        for line in ("best", "tempting")
        for step in range(3)
    ]
    assert {one.status_code for one in drawn} == {200}
    assert len({one.data for one in drawn}) == 4
    again = ada.get(
        f"{PATH}/board.svg?line=best&step=2", headers={"If-None-Match": drawn[2].headers["ETag"]}
    )
    assert again.status_code == 304
    problem(ada.get(f"{PATH}/board.svg?line=best&step=3"), 404, "not_found")
    refused = problem(ada.get(f"{PATH}/board.svg?line=worst"), 422, "invalid")
    assert pointers(refused) == ["/line"]


def test_the_same_request_is_judged_once_and_another_one_is_refused(ada: Caller) -> None:
    key = {"Idempotency-Key": "one"}
    first = ada.post(f"{PATH}/attempts", {"moves": NOBODY}, headers=key)
    again = ada.post(f"{PATH}/attempts", {"moves": NOBODY}, headers=key)
    assert (first.status_code, again.status_code, again.json) == (201, 200, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = ada.post(f"{PATH}/attempts", {"moves": CITY}, headers=key)
    problem(other, 422, "idempotency_mismatch")
    problem(ada.post(f"{PATH}/attempts", {"moves": NOBODY}), 409, "puzzle_answered")
    problem(ada.post(f"{PATH}/hints", {"step": 1}), 409, "puzzle_answered")
    assert len(ada.get("/players/me/puzzles").json["attempts"]) == 1


@pytest.mark.parametrize(
    ("moves", "status", "code"),
    [
        ([], 422, "invalid"),
        ("x", 422, "invalid"),
        ([{}], 422, "illegal_move"),
        ([{**SOUTH, "x": 7}], 422, "illegal_move"),
        ([{"type": "place_worker", "space": "gate"}], 422, "illegal_move"),
        ([SOUTH, {"type": "place_follower", "segment": "m"}], 422, "illegal_move"),
        ([SOUTH], 422, "line_unfinished"),
        ([*CITY, SOUTH], 422, "invalid"),
        ([SOUTH] * 13, 422, "invalid"),
    ],
)
def test_what_is_no_answer_is_refused_and_may_be_repeated(
    ada: Caller, moves: Any, status: int, code: str
) -> None:
    refused = problem(ada.post(f"{PATH}/attempts", {"moves": moves}), status, code)
    if code != "invalid":
        assert refused["legal_moves"]
        assert refused["decision"]["seat"] == 0
    assert ada.post(f"{PATH}/attempts", {"moves": CITY}).status_code == 201


def test_what_is_unknown_says_so(ada: Caller, visitor: Caller) -> None:
    for path in ("/puzzles/carcassonne-aaaaaaaa", "/puzzles/x/board.svg"):
        problem(ada.get(path), 404, "not_found")
    for action, body in (("attempts", {"moves": CITY}), ("hints", {"step": 1})):
        problem(ada.post(f"/puzzles/unknown/{action}", body), 404, "not_found")
        problem(visitor.post(f"{PATH}/{action}", body), 401, "token_missing")
    unknown = problem(ada.get("/puzzles/next?theme=blok"), 422, "invalid")
    assert unknown["errors"][0]["detail"] == "must be one of: block, city"
    assert pointers(problem(ada.get("/puzzles/next?game=chess"), 422, "invalid")) == ["/game"]
    problem(visitor.get("/puzzles/next"), 401, "token_missing")
    problem(ada.post(f"{PATH}/hints", {"step": 3}), 422, "invalid")


def test_hints_narrow_the_answer_and_cost_the_rating(ada: Caller) -> None:
    first = ada.post(f"{PATH}/hints", {"step": 1}).json
    assert first == {"step": 1, "themes": ["city"], "candidates": None}
    second = ada.post(f"{PATH}/hints", {"step": 2}).json
    assert {json.dumps(one["moves"]) for one in second["candidates"]} == {
        json.dumps(CITY),
        json.dumps(NOBODY),
    }
    assert ada.get(PATH).json["hint"] == second
    outcome = ada.post(f"{PATH}/attempts", {"moves": CITY}).json
    assert (outcome["right"], outcome["hints"], outcome["rated"]) == (True, 2, False)
    assert outcome["player"] is None
    assert ada.get("/players/me/puzzles").json["streak"] == {"days": 0, "best": 0}


def test_the_first_moves_of_an_answer_can_be_tried(ada: Caller) -> None:
    tried = ada.post(f"{PATH}/preview", {"moves": [SOUTH]}).json
    assert CITY[1] in tried["moves"]
    assert tried["decision"]["kind"] == "place_follower"
    assert [fact["type"] for fact in tried["facts"]] == ["tile_placed"]
    drawn = ada.get(f"{PATH}/board.svg", query_string={"tried": json.dumps([SOUTH])})
    assert drawn.status_code == 200
    assert drawn.data != ada.get(f"{PATH}/board.svg").data
    for wrong in ("{}", "[1]", "[", "[[]]"):
        refused = ada.get(f"{PATH}/board.svg", query_string={"tried": wrong})
        assert pointers(problem(refused, 422, "invalid")) == ["/tried"]
    over = ada.post(f"{PATH}/preview", {"moves": CITY}).json
    assert over["chance"]
    assert (over["decision"], over["moves"]) == (None, [])
    problem(ada.post(f"{PATH}/preview", {"moves": [{"type": "pass"}]}), 422, "illegal_move")
    assert ada.get(PATH).json["answer"] is None


def test_a_player_reads_ratings_streak_and_attempts(
    ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.service.api.puzzles.attempts.PAGE", 1)
    ada.post(f"/puzzles/{CAYLUS.id}/attempts", {"moves": CAYLUS.tempting})
    ada.post(f"{PATH}/attempts", {"moves": CITY})
    first = ada.get("/players/me/puzzles").json
    assert [one["game"] for one in first["ratings"]] == ["carcassonne", "caylus"]
    assert first["streak"] == {"days": 1, "best": 1}
    assert [(one["puzzle"], one["right"]) for one in first["attempts"]] == [(SMALL.id, True)]
    assert first["attempts"][0]["change"] > 0
    rest = ada.get(f"/players/me/puzzles?cursor={first['next_cursor']}").json
    assert [(one["puzzle"], one["right"]) for one in rest["attempts"]] == [(CAYLUS.id, False)]
    assert rest["next_cursor"] is None
    for cursor in ("x", "0", "-1", "99999999999"):
        problem(ada.get(f"/players/me/puzzles?cursor={cursor}"), 400, "bad_cursor")


def test_the_next_puzzle_is_another_one_after_the_answer(ada: Caller) -> None:
    first = ada.get("/puzzles/next?game=carcassonne")
    assert (first.json["id"], first.headers["Cache-Control"]) == (SMALL.id, "no-store")
    ada.post(f"{PATH}/attempts", {"moves": CITY})
    assert ada.get("/puzzles/next?game=carcassonne").json["id"] == small_puzzle(1).id
    problem(ada.get("/puzzles/next?game=carcassonne&theme=city"), 404, "not_found")


def test_a_token_that_only_reads_answers_nothing(app: Flask, ada: Caller) -> None:
    reader = with_token(app, ada, scopes=["read"])
    assert reader.get("/puzzles/next").status_code == 200
    assert reader.post(f"{PATH}/preview", {"moves": [SOUTH]}).status_code == 200
    problem(reader.post(f"{PATH}/attempts", {"moves": CITY}), 403, "scope_missing")
    problem(reader.post(f"{PATH}/hints", {"step": 1}), 403, "scope_missing")


def test_attempts_count_for_the_limit_of_writes(
    make_app: Callable[..., Flask], register: Callable[[str], Caller]
) -> None:
    ada = register("Ada")
    limited = Caller(make_app(rates={"writes": "1/minute"}).test_client(), ada.token, ada.id)
    assert limited.post(f"{PATH}/hints", {"step": 1}).status_code == 200
    problem(limited.post(f"{PATH}/attempts", {"moves": CITY}), 429, "rate_limited")


def test_the_answer_names_the_position_in_the_explorer(
    ada: Caller, visitor: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ada.post(f"{PATH}/attempts", {"moves": CITY}).json["explorer"] is None
    monkeypatch.setattr(type(store.explorer), "is_set", property(lambda _: True))
    key = ada.get(PATH).json["answer"]["explorer"]
    assert is_key(key)
    assert "explorer" not in visitor.get(PATH).json
