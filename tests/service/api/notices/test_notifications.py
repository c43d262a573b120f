"""What a player wants to be notified of, and what became of it, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.notices.kinds import TYPES
from cartulary.events.store import Store
from cartulary.service.openapi.notice_examples import REQUESTS
from tests.service.support.caller import Caller
from tests.service.support.scene import problem

PATH = "/players/me/notifications"
SOME = REQUESTS["change_notifications"]["some"]


def test_a_player_reads_back_what_was_chosen_and_the_defaults(ada: Caller, bob: Caller) -> None:
    answer = ada.put(PATH, SOME)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert ada.get(PATH).json == answer.json
    assert answer.json["your_turn"] == SOME["your_turn"]
    assert answer.json["game_over"] == SOME["game_over"]
    assert answer.json["quiet"] == SOME["quiet"]
    assert answer.json["security"] == {
        "push": {"delay": 0},
        "webhook": {"delay": 0},
        "email": None,
    }
    assert set(TYPES) < bob.get(PATH).json.keys()
    assert bob.get(PATH).json["quiet"] is None


def test_what_is_missing_takes_its_default_again(ada: Caller, bob: Caller) -> None:
    ada.put(PATH, SOME)
    assert ada.put(PATH, {}).json == bob.get(PATH).json


def test_settings_that_were_read_may_be_sent_back(ada: Caller) -> None:
    chosen = ada.put(PATH, SOME).json
    assert ada.put(PATH, chosen).json == chosen


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"your_move": {}}, "/your_move"),
        ({"your_turn": {"pigeon": {"delay": 0}}}, "/your_turn/pigeon"),
        ({"your_turn": {"push": {"delay": -1}}}, "/your_turn/push/delay"),
        ({"your_turn": {"push": {"delay": 86_401}}}, "/your_turn/push/delay"),
        ({"your_turn": {"push": {"delay": "soon"}}}, "/your_turn/push/delay"),
        ({"reminder": 0.99}, "/reminder"),
        ({"reminder": "late"}, "/reminder"),
        ({"digest": "24:00"}, "/digest"),
        ({"digest": "8:00"}, "/digest"),
        ({"quiet": {"from": "22:00"}}, "/quiet/until"),
        ({"quiet": {"from": "22:00", "until": "22:00"}}, "/quiet"),
        ({"quiet": {"from": "25:00", "until": "07:00"}}, "/quiet/from"),
        ({"timezone": "Mars/Olympus"}, "/timezone"),
        ({"timezone": "../../etc/passwd"}, "/timezone"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_nothing_changes(
    ada: Caller, body: Any, pointer: str
) -> None:
    before = ada.get(PATH).json
    found = problem(ada.put(PATH, body), 422, "invalid")
    assert [one["pointer"] for one in found["errors"]] == [pointer]
    assert ada.get(PATH).json == before


def test_the_list_of_notices_is_that_of_the_player(ada: Caller, bob: Caller, store: Store) -> None:
    assert ada.get("/players/me/notices").json == {"notices": []}
    assert bob.get("/players/me/notices").json == {"notices": []}


@pytest.mark.parametrize("path", [PATH, "/players/me/notices"])
def test_a_bot_has_no_settings_but_its_webhooks(ada: Caller, path: str) -> None:
    made = ada.post("/players/me/bots", {"name": "Robo"}).json
    robo = Caller(ada.client, made["token"])
    problem(robo.get(path), 403, "scope_missing")
    assert robo.get("/players/me/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize("path", [PATH, "/players/me/notices", "/players/me/webhooks"])
def test_a_token_that_only_plays_has_no_settings(ada: Caller, path: str) -> None:
    limited = ada.post("/players/me/tokens", {"label": "x", "scopes": ["read", "play"]}).json
    problem(Caller(ada.client, limited["token"]).get(path), 403, "scope_missing")
    assert Caller(ada.client).get(path).status_code == 401


def test_a_deleted_player_leaves_no_settings_behind(ada: Caller, store: Store) -> None:
    from cartulary.events.server import keys

    ada.put(PATH, SOME)
    ada.post("/players/me/webhooks", REQUESTS["add_webhook"]["standard"])
    assert store.registry.hexists(keys.notice_wishes(), ada.id)
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    assert not store.registry.hexists(keys.notice_wishes(), ada.id)
    assert not store.registry.exists(keys.notice_settings(ada.id), keys.webhooks(ada.id))
