"""The position of a game, which the engine reads."""

from __future__ import annotations

import json

from cartulary.games import GAMES
from tests.service.support.caller import Caller, played_out
from tests.service.support.scene import problem


def test_the_engine_reads_the_position_of_every_version(ada: Caller) -> None:
    game_id = ada.open()["id"]
    for _ in range(6):
        assert ada.move(game_id).status_code == 201
    last = ada.version(game_id)
    events = {one["version"]: one for one in ada.get(f"/games/{game_id}/events").json["events"]}
    for version in range(2, last + 1):
        shown = ada.get(f"/games/{game_id}/position?version={version}").json
        state = GAMES["carcassonne"].from_position(shown)
        assert state.state_hash() == shown["state_hash"] == events[version]["state_hash"]
    now = ada.get(f"/games/{game_id}/position")
    assert now.json == shown
    assert GAMES["carcassonne"].from_position(now.json).legal_moves() == ada.legal(game_id)
    again = {"If-None-Match": now.headers["ETag"]}
    assert ada.get(f"/games/{game_id}/position", headers=again).status_code == 304


def test_the_position_shows_no_draw_that_is_still_to_come(ada: Caller) -> None:
    game_id = ada.open()["id"]
    shown = ada.get(f"/games/{game_id}/position").json
    assert set(shown) == {"form", "game", "options", "seats", "state", "kept", "state_hash"}
    view = ada.get(f"/games/{game_id}").json["view"]
    assert sum(shown["state"]["dump"]["bag"]) == sum(view["remaining"].values())
    assert shown["kept"] == []
    assert "secret" not in json.dumps(shown)


def test_what_was_taken_back_stands_in_kept(ada: Caller) -> None:
    game_id = ada.open(takebacks="undo")["id"]
    drawn: list[str] = []
    while not drawn:
        drawn = ada.move(game_id).json["event"]["chance"]
    body = {"kind": "takeback", "to_version": ada.version(game_id) - 1}
    assert ada.post(f"/games/{game_id}/proposals", body).status_code == 201
    assert ada.get(f"/games/{game_id}/position").json["kept"] == drawn


def test_only_a_game_that_has_started_has_a_position_and_a_private_one_is_unknown(
    ada: Caller, bob: Caller
) -> None:
    waiting = ada.open("me", "open")["id"]
    problem(ada.get(f"/games/{waiting}/position"), 409, "game_not_running")
    private = ada.open(visibility="private")["id"]
    problem(bob.get(f"/games/{private}/position"), 404, "not_found")
    problem(ada.get(f"/games/{private}/position?version=99"), 404, "not_found")
    problem(ada.get(f"/games/{private}/position?version=x"), 422, "invalid")
    over = ada.get(f"/games/{played_out(ada)}/position").json
    assert GAMES["carcassonne"].from_position(over).over
