"""A guest becomes an account, and the file with everything of a player, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask

from cartulary.events.store import Store
from tests.service.api.people.test_accounts import with_token
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored


def merge(caller: Caller, guest: Caller) -> Any:
    answer = caller.post("/players/me/merge", {"token": guest.token})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    return answer.json


def test_the_seats_of_a_guest_follow_and_the_guest_is_gone(
    ada: Caller, bob: Caller, register: Callable[[str], Caller]
) -> None:
    phone = register("Phone")
    game = phone.open("me", "open")["id"]
    bob.post(f"/games/{game}/seats", {})
    done = merge(ada, phone)
    assert (done["merged"]["id"], done["games"]) == (phone.id, [game])
    seated = ada.get(f"/games/{game}").json["seats"]
    assert sorted(seat["player"]["name"] for seat in seated) == ["Ada", "Bob"]
    event = ada.get(f"/games/{game}/events?limit=1000").json["events"][-2]
    assert (event["type"], event["from"]["reason"]) == ("seat_taken_over", "merged")
    problem(phone.get("/players/me"), 401, "token_unknown")
    assert ada.get("/games?player=me").json["games"][0]["id"] == game
    assert ada.get(f"/games/{game}/verification").json["valid"]
    assert merge(ada, phone)["games"] == []


@pytest.mark.slow
@pytest.mark.parametrize("token", ["", "x", 7, None, "x" * 201])
def test_a_token_of_nobody_merges_nobody(ada: Caller, store: Store, token: Any) -> None:
    ada.get("/players/me")
    before = stored(store)
    refused = problem(ada.post("/players/me/merge", {"token": token}), 422, "invalid")
    assert pointers(refused) == ["/token"]
    assert stored(store) == before


def test_a_narrow_token_merges_nobody(app: Flask, ada: Caller, bob: Caller) -> None:
    narrow = with_token(app, ada, scopes=["account"])
    problem(narrow.post("/players/me/merge", {"token": bob.token}), 403, "scope_missing")
    narrow = with_token(app, bob, scopes=["read", "play"])
    problem(ada.post("/players/me/merge", {"token": narrow.token}), 422, "invalid")


def export(caller: Caller) -> list[dict[str, Any]]:
    answer = caller.get("/players/me/export")
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Cache-Control"] == "no-store"
    assert caller.token is not None
    assert caller.token not in answer.text
    return [orjson.loads(line) for line in answer.data.splitlines()]


def test_the_export_has_everything_of_the_player_and_nothing_of_others(
    app: Flask, ada: Caller, bob: Caller
) -> None:
    game = ada.open("me", "open")["id"]
    bob.post(f"/games/{game}/seats", {})
    ada.put(f"/games/{game}/note", {"text": "watch Bob"})
    bob.put(f"/games/{game}/note", {"text": "watch Ada"})
    for one in (ada, bob):
        said = one.post(f"/games/{game}/messages", {"room": "players", "phrase": "thanks"})
        assert said.status_code == 201, said.text
    ada.put(f"/players/me/blocks/{bob.id}")
    with_token(app, ada, label="Phone")
    lines = export(ada)
    assert lines[0]["name"] == "Ada"
    types = [line["type"] for line in lines]
    first = ["player", "token", "token", "block", "notifications", "game", "note"]
    assert types[: len(first)] == first
    assert types.count("message") == 1
    assert lines[5]["url"].endswith(f"/api/v1/games/{game}")
    assert lines[6]["text"] == "watch Bob"
    (message,) = [line for line in lines if line["type"] == "message"]
    assert message["player"]["id"] == ada.id
    assert [line["item"]["type"] for line in lines if line["type"] == "inbox"][-1] == "security"


def test_an_export_needs_the_scope_of_the_account(app: Flask, ada: Caller) -> None:
    problem(with_token(app, ada, scopes=["play"]).get("/players/me/export"), 403, "scope_missing")


@pytest.mark.slow
def test_an_export_has_all_of_many_games(ada: Caller) -> None:
    games = {ada.open()["id"] for _ in range(101)}
    assert {line["id"] for line in export(ada) if line["type"] == "game"} == games
