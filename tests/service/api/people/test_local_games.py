"""Local games over HTTP: valid transcripts that move, and are deleted, with the account."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.engine.transcript import verify
from cartulary.events.accounts import local_games
from cartulary.events.accounts.local_games import LocalGames
from cartulary.events.model.errors import QuotaExceeded
from cartulary.events.people.tokens import TokenGone
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
    assert not store.registry.exists(keys.local_games(ada.id), keys.local_game_summaries(ada.id))


def test_the_local_games_of_a_guest_go_to_the_account_which_keeps_its_own(store: Store) -> None:
    games = store.accounts.local_games
    games.put("guest", "local-both", {**small(), "origin": "local", "of": "guest"})
    games.put("guest", "local-guest", {**small(), "origin": "local"})
    games.put("ada", "local-both", {**small(), "origin": "local", "of": "ada"})
    games.move("guest", "ada")
    assert {one["id"] for one in games.list_summaries("ada")} == {"local-both", "local-guest"}
    assert {one.id for one in games.read_all("ada")} == {"local-both", "local-guest"}
    kept = games.find("ada", "local-both")
    assert kept is not None
    assert kept.transcript["of"] == "ada"
    assert games.list_summaries("guest") == []
    assert not store.registry.exists(keys.local_games("guest"), keys.local_game_summaries("guest"))


@pytest.fixture
def games(store: Store) -> LocalGames:
    return store.accounts.local_games


def transcript(**changed: Any) -> dict[str, Any]:
    return dict(local(**changed)["transcript"])


def test_a_list_reads_no_transcripts(games: LocalGames, store: Store) -> None:
    games.put("ada", ID, transcript())
    store.registry.hset(keys.local_games("ada"), ID, "no JSON")
    assert [one["id"] for one in games.list_summaries("ada")] == [ID]


def test_a_summary_that_is_missing_is_made_from_the_transcript(
    games: LocalGames, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_games, "_READ_AT_ONCE", 2)
    stored = [games.put("ada", f"{ID}-{at}", transcript()).summary() for at in range(3)]
    store.registry.delete(keys.local_game_summaries("ada"))
    assert sorted(games.list_summaries("ada"), key=lambda one: one["id"]) == stored
    assert store.registry.hlen(keys.local_game_summaries("ada")) == 3


def test_a_summary_is_that_of_the_transcript_and_goes_with_it(
    games: LocalGames, store: Store
) -> None:
    games.put("ada", ID, transcript())
    unfinished = transcript(moves=small()["moves"][:1])
    del unfinished["result"]
    games.put("ada", ID, unfinished)
    games.put("guest", ID, transcript())
    games.move("guest", "ada")
    [found] = games.list_summaries("ada")
    assert (found["moves"], found["over"]) == (1, False)
    games.remove("ada", ID)
    assert games.list_summaries("ada") == []
    assert not store.registry.exists(keys.local_game_summaries("ada"))


def test_two_games_stored_at_once_do_not_exceed_the_quota(
    games: LocalGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_games, "MOST", 2)
    games.put("ada", f"{ID}-1", transcript())

    def verify_while_another_device_stores(*given: Any) -> Any:
        monkeypatch.setattr(local_games, "verify", verify)
        games.put("ada", f"{ID}-2", transcript())
        return verify(*given)

    monkeypatch.setattr(local_games, "verify", verify_while_another_device_stores)
    with pytest.raises(QuotaExceeded):
        games.put("ada", f"{ID}-3", transcript())
    assert {one["id"] for one in games.list_summaries("ada")} == {f"{ID}-1", f"{ID}-2"}


@pytest.mark.parametrize("mark", ["deleted_at", "merged_into"])
def test_an_account_that_is_gone_meanwhile_gets_no_game(
    games: LocalGames, store: Store, mark: str
) -> None:
    store.registry.hset(keys.player("ada"), mark, "now")
    with pytest.raises(TokenGone):
        games.put("ada", ID, transcript())
    assert not store.registry.exists(keys.local_games("ada"), keys.local_game_summaries("ada"))


def test_a_device_does_not_overwrite_what_another_has_stored_meanwhile(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ada.put(f"{PATH}/{ID}", local()).json["stored_at"]
    monkeypatch.setattr(store.clock, "now_ms", lambda: 2_000_000_000_000)
    second = ada.put(f"{PATH}/{ID}", {**local(of="one"), "replaces": first}).json["stored_at"]
    refused = ada.put(f"{PATH}/{ID}", {**local(of="other"), "replaces": first})
    assert problem(refused, 409, "stale_version")["stored_at"] == second
    assert ada.get(f"{PATH}/{ID}").json["transcript"]["of"] == "one"
    assert ada.put(f"{PATH}/{ID}", {**local(), "replaces": second}).status_code == 200
    ada.delete(f"{PATH}/{ID}")
    assert ada.put(f"{PATH}/{ID}", {**local(), "replaces": second}).status_code == 200


def test_a_finished_local_game_is_imported_unrated_and_without_a_proof(ada: Caller) -> None:
    game = ada.post("/games/import", local()["transcript"]).json
    assert (game["status"], game["rated"]) == ("over", False)
    assert ada.get(f"/games/{game['id']}/verification").json["fair"] is None
    assert ada.get(f"/games/{game['id']}/transcript").json["origin"] == "local"
