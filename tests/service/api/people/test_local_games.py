"""Local games over HTTP: valid transcripts that move, and are deleted, with the account."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.events.accounts import local_games
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.small_transcript import small

PATH = "/players/me/local_games"
ID = "local-m2xk7r9d4qhw0z5t8b3n"


def local(**changed: Any) -> dict[str, Any]:
    return {"transcript": {**small(), "origin": "local", **changed}}


def test_a_local_game_is_stored_listed_replaced_and_deleted(ada: Caller, bob: Caller) -> None:
    stored = ada.put(f"{PATH}/{ID}", local())
    assert stored.status_code == 200
    assert {**stored.json, "stored_at": ""} == {
        "id": ID,
        "stored_at": "",
        "game": "carcassonne",
        "seats": 2,
        "moves": 2,
        "over": True,
    }
    assert ada.put(f"{PATH}/{ID}", local(local_seats=[])).status_code == 200
    assert [one["id"] for one in ada.get(PATH).json["games"]] == [ID]
    found = ada.get(f"{PATH}/{ID}").json
    assert found["transcript"]["local_seats"] == []
    assert bob.get(PATH).json == {"games": []}
    problem(bob.get(f"{PATH}/{ID}"), 404, "not_found")
    assert ada.delete(f"{PATH}/{ID}").status_code == 204
    problem(ada.get(f"{PATH}/{ID}"), 404, "not_found")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/transcript"),
        ({"transcript": {"format": "other"}}, "/transcript/format"),
        ({"transcript": small()}, "/transcript/origin"),
        (local(result={"scores": [5, 0], "winners": [0]}), "/transcript/result"),
        (local(moves=[{"seat": 1, "move": {"type": "pass"}}]), "/transcript/moves/0"),
        (local(players=["Ada"]), "/transcript/players"),
    ],
)
def test_a_local_game_that_was_changed_by_hand_is_refused_with_the_place(
    ada: Caller, body: Any, pointer: str
) -> None:
    refused = problem(ada.put(f"{PATH}/{ID}", body), 422, "invalid")
    assert refused["errors"][0]["pointer"] == pointer
    assert ada.get(PATH).json == {"games": []}


def test_a_local_game_has_bounds(ada: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    problem(ada.put(f"{PATH}/x", local()), 422, "invalid")
    problem(ada.put(f"{PATH}/{ID}", local(note="w" * 100_000)), 413, "too_large")
    monkeypatch.setattr(local_games, "MOST", 1)
    assert ada.put(f"{PATH}/{ID}", local()).status_code == 200
    assert ada.put(f"{PATH}/{ID}", local()).status_code == 200
    problem(ada.put(f"{PATH}/{ID}-2", local()), 429, "quota_exceeded")


def test_local_games_are_exported_and_deleted_with_the_account(ada: Caller, store: Store) -> None:
    ada.put(f"{PATH}/{ID}", local())
    lines = [json.loads(line) for line in ada.get("/players/me/export").data.splitlines()]
    assert [one["id"] for one in lines if one["type"] == "local_game"] == [ID]
    name = ada.get("/players/me").json["name"]
    assert ada.post("/players/me/deletion", {"confirm": name}).status_code < 300
    assert not store.registry.exists(keys.local_games(ada.id))


def test_the_local_games_of_a_guest_go_to_the_account_which_keeps_its_own(store: Store) -> None:
    games = store.local_games
    games.put("guest", "local-both", {**small(), "origin": "local", "of": "guest"})
    games.put("guest", "local-guest", {**small(), "origin": "local"})
    games.put("ada", "local-both", {**small(), "origin": "local", "of": "ada"})
    games.move("guest", "ada")
    assert {one.id for one in games.list_of("ada")} == {"local-both", "local-guest"}
    kept = games.find("ada", "local-both")
    assert kept is not None
    assert kept.transcript["of"] == "ada"
    assert games.list_of("guest") == []


def test_a_finished_local_game_is_imported_unrated_and_without_a_proof(ada: Caller) -> None:
    game = ada.post("/games/import", local()["transcript"]).json
    assert (game["status"], game["rated"]) == ("over", False)
    assert ada.get(f"/games/{game['id']}/verification").json["fair"] is None
    assert ada.get(f"/games/{game['id']}/transcript").json["origin"] == "local"
