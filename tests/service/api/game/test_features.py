"""What lies on the board of Carcassonne and what it is worth, over HTTP."""

from __future__ import annotations

import pytest

from tests.service.support.caller import Caller
from tests.service.support.scene import Scene, problem


def test_features_are_those_of_the_position(ada: Caller, visitor: Caller) -> None:
    game = f"/games/{ada.open()['id']}"
    answer = visitor.get(f"{game}/features")
    assert answer.json["version"] == 2
    assert [feature["kind"] for feature in answer.json["features"]] == [
        *("city", "road", "farm", "farm")
    ]
    known = {"If-None-Match": answer.headers["ETag"]}
    assert visitor.client.get(f"/api/v1{game}/features", headers=known).status_code == 304


def test_features_of_a_moment_are_those_of_then(ada: Caller) -> None:
    game_id = ada.open()["id"]
    ada.move(game_id)
    now = ada.get(f"/games/{game_id}/features").json
    then = ada.get(f"/games/{game_id}/features?version=2")
    assert (now["version"], then.json["version"]) == (3, 2)
    assert len(then.json["features"]) == 4
    assert then.json != now
    assert "immutable" in then.headers["Cache-Control"]


def test_a_game_without_features_lists_none(ada: Caller) -> None:
    caylus = ada.post("/games", {"game": "caylus", "seats": [{"kind": "me"}] * 2}).json
    assert ada.get(f"/games/{caylus['id']}/features").json["features"] == []


@pytest.mark.slow
def test_features_of_games_that_nobody_may_see(scene: Scene) -> None:
    problem(scene.bob.get(f"/games/{scene.ids['private']}/features"), 404, "not_found")
    problem(scene.ada.get(f"/games/{scene.ids['running']}/features?version=0"), 422, "invalid")
    opened = scene.ada.get(f"/games/{scene.ids['open']}/features").json
    assert opened["features"] == []


def test_a_preview_says_what_may_follow_and_what_the_move_changes(ada: Caller) -> None:
    game_id = ada.open()["id"]
    move = ada.legal(game_id)[0]
    tried = ada.post(f"/games/{game_id}/preview", {"move": move, "next": True}).json
    before = ada.get(f"/games/{game_id}/features").json["features"]
    ada.move(game_id, move)
    after = ada.get(f"/games/{game_id}/features").json["features"]
    assert tried["moves"] == ada.legal(game_id)
    assert tried["features"] == [feature for feature in after if feature not in before]
    assert tried["features"]


def test_a_preview_that_ends_the_turn_names_no_further_move(ada: Caller) -> None:
    game_id = ada.open()["id"]
    ada.move(game_id)
    body = {"move": {"type": "skip_follower"}, "next": True}
    tried = ada.post(f"/games/{game_id}/preview", body).json
    assert (tried["moves"], tried["features"], tried["chance"]) == ([], [], True)
    plain = ada.post(f"/games/{game_id}/preview", {**body, "next": False}).json
    assert "moves" not in plain
    assert "features" not in plain
