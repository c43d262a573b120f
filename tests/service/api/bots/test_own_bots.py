"""A player makes bots, which are players of kind bot with less rights."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.server import keys
from cartulary.events.server.format import WITH_BOTS
from cartulary.events.store import Store
from tests.service.api.bots.conftest import Connect, MakeBot, invite, sit_down, types_of
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem


def test_a_bot_is_a_player_of_kind_bot_with_a_token_that_is_shown_once(ada: Caller) -> None:
    made = ada.post("/players/me/bots", {"name": "Robo", "about": "a test"})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    shown = made.json
    token = shown.pop("token")
    assert shown["owner"] == {"id": ada.id, "name": "Ada"}
    assert (shown["kind"], shown["about"], shown["online"]) == ("bot", "a test", False)
    assert (shown["strength"], shown["pace"]) == (None, None)
    assert ada.get("/players/me/bots").json == {"bots": [shown]}
    assert ada.get(f"/players/{shown['id']}").json["kind"] == "bot"
    assert ada.get(f"/players/{ada.id}").json["kind"] == "person"
    robo = Caller(ada.client, token)
    assert robo.get("/players/me").json["id"] == shown["id"]
    assert robo.get("/players/me/bot").json == shown


def test_a_player_has_five_bots_at_most_and_a_closed_one_makes_room(
    ada: Caller, bob: Caller, make_bot: MakeBot
) -> None:
    bots = [make_bot(f"Robo {number}") for number in range(5)]
    refused = problem(ada.post("/players/me/bots", {"name": "six"}), 429, "quota_exceeded")
    assert (refused["quota"], refused["limit"], refused["used"]) == ("own_bots", 5, 5)
    assert refused["free_at"] is None
    assert refused["free_at"] is None
    make_bot("of Bob", bob)
    assert ada.delete(f"/players/me/bots/{bots[0].id}").status_code == 204
    make_bot("six")


def test_a_bot_whose_closing_was_interrupted_at_its_end_makes_room(
    ada: Caller, make_bot: MakeBot, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [make_bot(f"Robo {number}") for number in range(5)]

    def die(*_: object) -> None:
        raise ConnectionError("killed")

    with monkeypatch.context() as dying:
        dying.setattr(store.own_bots, "forget", die)
        assert ada.delete(f"/players/me/bots/{bots[0].id}").status_code >= 500
    assert len(ada.get("/players/me/bots").json["bots"]) == 4
    make_bot("six")
    problem(ada.post("/players/me/bots", {"name": "seven"}), 429, "quota_exceeded")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/name"),
        ({"name": " "}, "/name"),
        ({"name": "R", "kind": "person"}, "/kind"),
        ({"name": "R", "about": "two\nlines"}, "/about"),
        ({"name": "R", "about": "x" * 301}, "/about"),
        ({"name": "R", "about": 1}, "/about"),
    ],
)
def test_what_no_bot_can_be_is_refused(ada: Caller, body: Any, pointer: str) -> None:
    refused = problem(ada.post("/players/me/bots", body), 422, "invalid")
    assert pointers(refused) == [pointer]
    assert ada.get("/players/me/bots").json == {"bots": []}


def test_no_player_says_of_itself_that_it_is_no_bot_or_a_bot(visitor: Caller, bot: Caller) -> None:
    problem(visitor.post("/players", {"name": "Liar", "kind": "bot"}), 422, "invalid")
    problem(bot.patch("/players/me", {"name": "Human"}), 403, "scope_missing")
    assert bot.get("/players/me").json["kind"] == "bot"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/players/me/bots", {"name": "child"}),
        ("POST", "/players/me/merge", {"token": "x"}),
        ("POST", "/players/me/link_codes", None),
        ("POST", "/players/me/recovery_codes", None),
        ("POST", "/players/me/tokens", {"label": "x", "scopes": ["read"]}),
        ("POST", "/players/me/deletion", {"confirm": "Robo"}),
    ],
)
def test_a_bot_merges_with_no_player_and_has_neither_bots_nor_codes_nor_devices(
    bot: Caller, method: str, path: str, body: Any
) -> None:
    assert problem(bot.send(method, path, json=body), 403, "scope_missing")["scope"] == "account"


def test_no_player_merges_a_bot(ada: Caller, bob: Caller, bot: Caller) -> None:
    for player in (ada, bob):
        refused = problem(player.post("/players/me/merge", {"token": bot.token}), 422, "invalid")
        assert "bot" in refused["errors"][0]["detail"]


def test_a_new_token_of_a_bot_makes_the_old_one_void(ada: Caller, bob: Caller, bot: Caller) -> None:
    path = f"/players/me/bots/{bot.id}/token"
    problem(bob.post(path), 404, "not_found")
    renewed = ada.post(path)
    assert renewed.status_code == 201
    problem(bot.get("/players/me"), 401, "token_unknown")
    other = Caller(ada.client, renewed.json["token"])
    assert other.get("/players/me").json["id"] == bot.id
    problem(other.post("/players/me/bots", {"name": "child"}), 403, "scope_missing")


def test_only_the_owner_closes_a_bot_and_a_closed_one_is_gone(
    ada: Caller, bob: Caller, bot: Caller
) -> None:
    problem(bob.delete(f"/players/me/bots/{bot.id}"), 404, "not_found")
    problem(ada.delete(f"/players/me/bots/{bob.id}"), 404, "not_found")
    assert ada.delete(f"/players/me/bots/{bot.id}").status_code == 204
    problem(bot.get("/players/me"), 401, "token_unknown")
    problem(ada.get(f"/players/{bot.id}"), 404, "not_found")
    assert ada.get("/players/me/bots").json == {"bots": []}
    problem(ada.delete(f"/players/me/bots/{bot.id}"), 404, "not_found")


def test_the_kind_of_a_bot_stands_in_seats_events_and_lists(
    bob: Caller, ada: Caller, bot: Caller, connect: Connect
) -> None:
    connect(bot)
    game_id = sit_down(bob, bot, shuffle_seats=False)
    sitter = {"id": bot.id, "name": "Robo", "kind": "bot", "owner": ada.id}
    assert bob.get(f"/games/{game_id}").json["seats"][1]["player"] == sitter
    assert bob.get("/games?player=me").json["games"][0]["seats"][1]["player"] == sitter
    events = bob.get(f"/games/{game_id}/events").json["events"]
    assert next(one for one in events if one["type"] == "seat_taken")["player"] == sitter
    assert "kind" not in events[0]["seats"][0]["player"]
    assert bob.get(f"/games/{game_id}/verification").json["valid"]


def test_when_a_bot_is_closed_a_stand_in_plays_on_and_no_game_waits(
    ada: Caller, bob: Caller, bot: Caller, connect: Connect
) -> None:
    connect(bot)
    running, waiting = sit_down(bob, bot), invite(bob, bot)["id"]
    assert ada.delete(f"/players/me/bots/{bot.id}").status_code == 204
    assert types_of(bob, running)[-1] == "stand_in_seated"
    seat = next(one for one in bob.get(f"/games/{running}").json["seats"] if one["stand_in"])
    assert (seat["state"], seat["reason"]) == ("away", "bot_failed")
    assert bob.get(f"/games/{running}").json["status"] == "running"
    assert types_of(bob, waiting)[-1] == "seat_declined"
    assert bob.get(f"/games/{running}/verification").json["valid"]


def test_the_bots_of_an_owner_who_is_gone_are_closed(
    ada: Caller, bob: Caller, bot: Caller, connect: Connect
) -> None:
    connect(bot)
    game_id = sit_down(bob, bot)
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    problem(bot.get("/players/me"), 401, "token_unknown")
    assert types_of(bob, game_id)[-1] == "stand_in_seated"


@pytest.mark.slow
def test_the_bots_of_a_guest_follow_into_the_account(
    app: Flask, ada: Caller, bob: Caller, bot: Caller, store: Store
) -> None:
    assert bob.post("/players/me/recovery_codes").status_code == 201
    assert bob.post("/players/me/merge", {"token": ada.token}).status_code == 200
    (shown,) = bob.get("/players/me/bots").json["bots"]
    assert (shown["id"], shown["owner"]["id"]) == (bot.id, bob.id)
    assert not store.registry.exists(keys.bots_of(ada.id))
    assert bob.delete(f"/players/me/bots/{bot.id}").status_code == 204


def test_no_bot_is_made_while_an_earlier_release_runs(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.commands.writer.level, "read", lambda: WITH_BOTS - 1)
    store.own_bots = BotAccounts(
        *(store.registry, store.players, store.tokens, store.clock),
        store.commands.writer.level.read,
        store.notices.drop_webhooks,
    )
    answer = ada.post("/players/me/bots", {"name": "early"})
    problem(answer, 503, "unavailable")
    assert answer.headers["Retry-After"] == "30"
