"""Webhooks over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.log import LoggedNotice
from cartulary.events.notices.registry import MOST_WEBHOOKS
from cartulary.events.notices.rows import FORMATS, MOVE
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.store import Store
from cartulary.service.api.notices import webhooks
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.local_servers import run_name_server

PATH = "/players/me/webhooks"
Act = Callable[[Caller, str], Any]
HOOK = {"url": "https://93.184.216.34/hook", "types": ["your_turn"]}


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Iterator[Flask]:
    answers: dict[str, list[list[str]]] = {
        "public.example": [["93.184.216.34"]],
        "inside.example": [["10.0.0.7"]],
        "both.example": [["93.184.216.34", "127.0.0.1"]],
        "nothing.example": [[]],
    }
    with run_name_server(answers) as names:
        yield make_app(egress={"CARTULARY_EGRESS_RESOLVERS": names.address})


def test_a_webhook_signs_with_a_key_pair_unless_hmac_is_asked_for(ada: Caller) -> None:
    pair = ada.post(PATH, HOOK)
    assert (pair.status_code, pair.json["secret"]) == (201, None)
    assert pair.json["public_keys"][0].startswith("whpk_")
    shared = ada.post(PATH, {**HOOK, "signature": "v1"}).json
    assert shared["secret"].startswith("whsec_")
    assert shared["public_keys"] == []
    assert shared["secret"] not in ada.get(PATH).text


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in FORMATS if form != MOVE])
def test_a_webhook_has_a_format_and_reads_back_what_was_said(ada: Caller, form: str) -> None:
    made = ada.post(PATH, {**HOOK, "types": ["game_over", "game_over"], "format": form})
    assert made.status_code == 201
    del made.json["secret"]
    (found,) = ada.get(PATH).json["webhooks"]
    assert found == {key: value for key, value in made.json.items() if key != "secret"}
    assert (found["format"], found["types"], found["off"]) == (form, ["game_over"], None)


@pytest.mark.parametrize(
    ("changed", "pointer", "reason"),
    [
        ({"url": "http://public.example/"}, "/url", "https"),
        ({"url": "https://public.example:25/"}, "/url", "port"),
        ({"url": "https://u:p@public.example/"}, "/url", "password"),
        ({"url": "https://127.0.0.1/"}, "/url", "public internet"),
        ({"url": "https://[::ffff:10.0.0.1]/"}, "/url", "public internet"),
        ({"url": "https://inside.example/"}, "/url", "public internet"),
        ({"url": "https://both.example/"}, "/url", "public internet"),
        ({"url": "https://nothing.example/"}, "/url", "nothing.example"),
        ({"types": []}, "/types", ""),
        ({"types": ["tea"]}, "/types/0", ""),
        ({"types": None}, "/types", "missing"),
        ({"format": "fax"}, "/format", ""),
        ({"signature": "v9"}, "/signature", ""),
        ({"format": "slack", "signature": "v1"}, "/signature", "not signed"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_sent_is_refused_with_its_reason(
    ada: Caller, changed: dict[str, Any], pointer: str, reason: str
) -> None:
    found = problem(ada.post(PATH, {**HOOK, **changed}), 422, "invalid")
    (error,) = found["errors"]
    assert error["pointer"] == pointer
    assert reason in error["detail"]
    assert ada.get(PATH).json == {"webhooks": []}


@pytest.mark.slow
def test_an_address_is_checked_when_it_changes_too(ada: Caller) -> None:
    path = f"{PATH}/{ada.post(PATH, HOOK).json['id']}"
    problem(ada.patch(path, {"url": "https://inside.example/"}), 422, "invalid")
    assert ada.patch(path, {"url": "https://public.example/"}).json["url"].endswith("example/")


def test_the_failures_of_an_old_address_are_not_those_of_a_new_one(
    ada: Caller, store: Store
) -> None:
    made = ada.post(PATH, HOOK).json
    store.notices.note_outcome(ada.id, made["id"], made["url"], False)
    path = f"{PATH}/{made['id']}"
    assert ada.patch(path, {"url": HOOK["url"]}).json["failing_since"] is not None
    assert ada.patch(path, {"url": "https://93.184.216.35/"}).json["failing_since"] is None


@pytest.mark.slow
def test_a_webhook_is_switched_off_and_on_again(ada: Caller, bob: Caller) -> None:
    path = f"{PATH}/{ada.post(PATH, HOOK).json['id']}"
    assert ada.patch(path, {"on": False}).json["off"] == "player"
    assert ada.patch(path, {"on": True, "types": ["game_over"]}).json["off"] is None
    problem(bob.patch(path, {"on": False}), 404, "not_found")
    problem(bob.delete(path), 404, "not_found")
    assert ada.delete(path).status_code == 204
    problem(ada.patch(path, {}), 404, "not_found")


def test_both_keys_sign_after_a_rotation(ada: Caller) -> None:
    made = ada.post(PATH, HOOK).json
    fresh = ada.post(f"{PATH}/{made['id']}/secret")
    assert (fresh.status_code, fresh.json["secret"]) == (201, None)
    (found,) = ada.get(PATH).json["webhooks"]
    assert found["public_keys"] == [fresh.json["public_key"], *made["public_keys"]]


@pytest.mark.parametrize(
    ("step", "act"),
    [
        ("check_address", lambda ada, path: ada.patch(path, {"url": "https://93.184.216.35/"})),
        ("_make_secret", lambda ada, path: ada.post(f"{path}/secret")),
    ],
    ids=["new_address", "new_secret"],
)
def test_a_change_of_a_webhook_takes_back_no_other_change_of_that_moment(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch, step: str, act: Act
) -> None:
    made = ada.post(PATH, HOOK).json
    real = getattr(webhooks, step)

    def take_long(*args: Any) -> Any:
        store.notices.change_webhook(ada.id, made["id"], lambda found: replace(found, off="player"))
        return real(*args)

    monkeypatch.setattr(webhooks, step, take_long)
    assert act(ada, f"{PATH}/{made['id']}").status_code < 300
    assert ada.get(PATH).json["webhooks"][0]["off"] == "player"


def test_what_is_not_signed_has_no_secret_to_rotate(ada: Caller) -> None:
    made = ada.post(PATH, {**HOOK, "format": "discord"}).json
    problem(ada.post(f"{PATH}/{made['id']}/secret"), 422, "invalid")


@pytest.mark.slow
def test_a_player_has_so_many_webhooks_and_no_more(ada: Caller, bob: Caller) -> None:
    for _ in range(MOST_WEBHOOKS):
        assert ada.post(PATH, HOOK).status_code == 201
    found = problem(ada.post(PATH, HOOK), 429, "quota_exceeded")
    assert (found["quota"], found["limit"]) == ("webhooks", MOST_WEBHOOKS)
    assert bob.post(PATH, HOOK).status_code == 201


def test_a_message_is_sent_once_more_with_its_id(ada: Caller, bob: Caller, store: Store) -> None:
    webhook = ada.post(PATH, HOOK).json["id"]
    item = {"type": "your_turn", "timestamp": "2026-11-20T10:00:00.000Z", "data": {"game": "g"}}
    line = LoggedNotice("g:4:your_turn", store.clock.now_ms(), "failed", "webhook", item, 500)
    store.notice_log.write((webhook,), line)
    path = f"{PATH}/{webhook}/deliveries"
    (found,) = ada.get(path).json["deliveries"]
    assert (found["outcome"], found["status"], found["data"]) == ("failed", 500, {"game": "g"})
    problem(bob.get(path), 404, "not_found")
    unknown = problem(ada.post(f"{path}/unknown/retry"), 404, "not_found")
    assert unknown["detail"] == "this delivery does not exist, or you may not see it"
    assert ada.post(f"{path}/{found['id']}/retry").status_code == 202
    (entry,) = open_deliveries(store.registry).take(store.clock.now_ms(), 9)
    delivery = Delivery.read(entry)
    assert (delivery.id, delivery.endpoint, delivery.forced) == (found["id"], webhook, True)


def test_a_test_waits_for_the_notifier(ada: Caller, store: Store) -> None:
    webhook = ada.post(PATH, HOOK).json["id"]
    assert ada.post(f"{PATH}/{webhook}/test").status_code == 202
    (entry,) = open_deliveries(store.registry).take(store.clock.now_ms(), 9)
    assert Delivery.read(entry).items[0]["type"] == "test"
