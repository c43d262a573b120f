"""The browsers with notices, over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from cartulary.events.notices.registry import MOST_BROWSERS
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.store import Store
from cartulary.service.openapi.notice_examples import REQUESTS
from tests.service.support.acted_notices import write_push_key
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem
from tests.support.local_servers import run_name_server

PATH = "/players/me/push_subscriptions"
PHONE = REQUESTS["add_push_subscription"]["phone"]
LOCAL = "https://push.example/x"


@pytest.fixture
def app(make_app: Callable[..., Flask], tmp_path: Path) -> Iterator[Flask]:
    answers = {"push.example": [["127.0.0.1"]]}
    with run_name_server(answers) as names:
        yield make_app(
            push_key=write_push_key(tmp_path),
            egress={"CARTULARY_EGRESS_RESOLVERS": names.address},
        )


def at(number: int) -> dict[str, Any]:
    return {**PHONE, "endpoint": f"https://93.184.216.34/push/{number}"}


def test_a_browser_is_shown_without_its_address(ada: Caller) -> None:
    answer = ada.post(PATH, PHONE)
    assert answer.status_code == 201
    assert ada.get(PATH).json == {"push_subscriptions": [answer.json]}
    assert answer.json["origin"] == "https://93.184.216.34"
    assert "dGhpcyBicm93c2Vy" not in ada.get(PATH).text


def test_a_browser_that_subscribes_again_stays_one(ada: Caller) -> None:
    first = ada.post(PATH, PHONE).json
    again = ada.post(PATH, {**PHONE, "label": "Desk"})
    assert (again.status_code, again.json["id"], again.json["label"]) == (200, first["id"], "Desk")
    assert len(ada.get(PATH).json["push_subscriptions"]) == 1


@pytest.mark.slow
def test_a_browser_is_that_of_the_player_who_subscribed_last(ada: Caller, bob: Caller) -> None:
    ada.post(PATH, PHONE)
    assert bob.post(PATH, PHONE).status_code == 201
    assert ada.get(PATH).json == {"push_subscriptions": []}
    assert len(bob.get(PATH).json["push_subscriptions"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"endpoint": "http://93.184.216.34/x"}, "/endpoint"),
        ({"endpoint": "https://93.184.216.34:22/x"}, "/endpoint"),
        ({"endpoint": "https://ada:pw@93.184.216.34/x"}, "/endpoint"),
        ({"endpoint": "https://127.0.0.1/x"}, "/endpoint"),
        ({"endpoint": LOCAL}, "/endpoint"),
        ({"keys": {"p256dh": "AAAA", "auth": PHONE["keys"]["auth"]}}, "/keys"),
        ({"keys": {"p256dh": PHONE["keys"]["p256dh"], "auth": "AAAA"}}, "/keys"),
        ({"keys": {"p256dh": PHONE["keys"]["p256dh"]}}, "/keys/auth"),
        ({"keys": None}, "/keys"),
    ],
)
def test_a_subscription_that_cannot_be_sent_to_is_refused(
    ada: Caller, changed: dict[str, Any], pointer: str
) -> None:
    found = problem(ada.post(PATH, {**PHONE, **changed}), 422, "invalid")
    assert [one["pointer"] for one in found["errors"]] == [pointer]
    assert ada.get(PATH).json == {"push_subscriptions": []}


@pytest.mark.slow
def test_a_player_has_so_many_browsers_and_no_more(ada: Caller) -> None:
    for number in range(MOST_BROWSERS):
        assert ada.post(PATH, at(number)).status_code == 201
    found = problem(ada.post(PATH, at(MOST_BROWSERS)), 429, "quota_exceeded")
    assert (found["quota"], found["limit"]) == ("push_subscriptions", MOST_BROWSERS)
    assert ada.post(PATH, at(0)).status_code == 200


def test_a_test_waits_for_the_notifier_and_only_for_ones_own_browser(
    ada: Caller, bob: Caller, store: Store
) -> None:
    made = ada.post(PATH, PHONE).json["id"]
    problem(bob.post(f"{PATH}/{made}/test"), 404, "not_found")
    assert open_deliveries(store.registry).count() == 0
    assert ada.post(f"{PATH}/{made}/test").status_code == 202
    assert open_deliveries(store.registry).count() == 1


def test_a_browser_that_was_removed_is_gone(ada: Caller, bob: Caller) -> None:
    made = ada.post(PATH, PHONE).json["id"]
    problem(bob.delete(f"{PATH}/{made}"), 404, "not_found")
    assert ada.delete(f"{PATH}/{made}").status_code == 204
    problem(ada.delete(f"{PATH}/{made}"), 404, "not_found")


def test_a_service_without_a_key_has_no_push_messages(make_app: Callable[..., Flask]) -> None:
    cyd = register_player(make_app(), "Cyd")
    problem(cyd.get("/push_key"), 404, "not_found")
    problem(cyd.post(PATH, PHONE), 404, "not_found")
