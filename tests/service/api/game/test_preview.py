"""Trying a move over HTTP."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import Scene, problem
from tests.support.stored_keys import stored


def test_a_preview_shows_facts_view_decision_and_whether_a_draw_follows(ada: Caller) -> None:
    game = ada.open()
    move = ada.legal(game["id"])[0]
    answer = ada.post(f"/games/{game['id']}/preview", {"move": move, "version": game["version"]})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    made = ada.move(game["id"], move).json
    assert answer.json == {
        "facts": made["event"]["facts"],
        "view": made["game"]["view"],
        "decision": made["game"]["decision"],
        "chance": False,
    }


def test_a_preview_stops_before_the_draw(ada: Caller) -> None:
    game_id = ada.open()["id"]
    ada.move(game_id)
    answer = ada.post(f"/games/{game_id}/preview", {"move": {"type": "skip_follower"}}).json
    assert (answer["chance"], answer["decision"], answer["view"]["tile"]) == (True, None, None)


def test_a_preview_stores_nothing(ada: Caller, store: Store) -> None:
    game = ada.open()
    before = stored(store)
    for move in ada.legal(game["id"]):
        assert ada.post(f"/games/{game['id']}/preview", {"move": move}).status_code == 200
    assert stored(store) == before


def test_a_preview_is_refused_with_the_codes_of_a_move(scene: Scene) -> None:
    ada, bob = scene.ada, scene.bob
    move = ada.legal(scene.ids["running"])[0]
    tries = [
        (ada, "running", {"move": {"type": "fly"}}, 422, "illegal_move"),
        (ada, "running", {"move": move, "version": 1}, 409, "stale_version"),
        (bob, "running", {"move": move}, 403, "not_seated"),
        (bob, "private", {"move": move}, 404, "not_found"),
        (ada, "unknown", {"move": move}, 404, "not_found"),
        (ada, "open", {"move": move}, 409, "game_not_running"),
        (ada, "over", {"move": move}, 409, "game_not_running"),
        (ada, "running", {"move": 3}, 422, "invalid"),
        (ada, "running", {"move": move, "version": 0}, 422, "invalid"),
        (ada, "running", {"move": move, "expected_version": 2}, 422, "invalid"),
        (ada, "running", {}, 422, "invalid"),
    ]
    for caller, where, body, status, code in tries:
        problem(caller.post(f"/games/{scene.ids[where]}/preview", body), status, code)
    refused = ada.post(f"/games/{scene.ids['running']}/preview", {"move": {"type": "fly"}}).json
    assert move in refused["legal_moves"]
    assert refused["decision"]["seat"] == 0


def test_a_preview_needs_a_token(visitor: Caller, ada: Caller) -> None:
    game_id = ada.open()["id"]
    body = {"move": ada.legal(game_id)[0]}
    problem(visitor.post(f"/games/{game_id}/preview", body), 401, "token_missing")


def test_previews_have_a_rate_of_their_own(make_app: Callable[..., Flask], ada: Caller) -> None:
    game_id = ada.open()["id"]
    body = {"move": ada.legal(game_id)[0]}
    caller = Caller(make_app(rates={"previews": "1/minute"}).test_client(), ada.token)
    assert caller.post(f"/games/{game_id}/preview", body).status_code == 200
    refused = caller.post(f"/games/{game_id}/preview", body)
    problem(refused, 429, "rate_limited")
    assert int(refused.headers["Retry-After"]) >= 1
    assert caller.move(game_id).status_code == 201


@pytest.mark.parametrize("version", [2, 2.0])
def test_a_version_may_be_written_with_a_fraction_of_zero(ada: Caller, version: float) -> None:
    game_id = ada.open()["id"]
    body = {"move": ada.legal(game_id)[0], "version": version}
    assert ada.post(f"/games/{game_id}/preview", body).status_code == 200


def test_a_preview_that_fails_leaves_no_doubt_about_what_is_stored(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = ada.open()["id"]
    body = {"move": ada.legal(game_id)[0]}

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(store.commands.again, "preview", fail)
    found = problem(ada.post(f"/games/{game_id}/preview", body), 500, "internal_error")
    assert "outcome" not in found["detail"]
