"""Notices of an account: what a merge brings along, and what an export shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from cartulary.service.openapi.notice_examples import REQUESTS
from tests.service.support.acted_notices import write_push_key
from tests.service.support.caller import Caller

HOOK = REQUESTS["add_webhook"]["hmac"]
PHONE = REQUESTS["add_push_subscription"]["phone"]


@pytest.fixture
def app(make_app: Callable[..., Flask], tmp_path: Path) -> Flask:
    return make_app(push_key=write_push_key(tmp_path))


@pytest.mark.slow
def test_a_merge_brings_browsers_and_webhooks_along(ada: Caller, bob: Caller) -> None:
    hook = bob.post("/players/me/webhooks", HOOK).json["id"]
    phone = bob.post("/players/me/push_subscriptions", PHONE).json["id"]
    assert ada.post("/players/me/merge", {"token": bob.token}).status_code == 200
    assert [one["id"] for one in ada.get("/players/me/webhooks").json["webhooks"]] == [hook]
    browsers = ada.get("/players/me/push_subscriptions").json["push_subscriptions"]
    assert [one["id"] for one in browsers] == [phone]


@pytest.mark.slow
def test_an_export_has_settings_browsers_and_webhooks_and_no_secret(ada: Caller) -> None:
    ada.put("/players/me/notifications", REQUESTS["change_notifications"]["some"])
    secret = ada.post("/players/me/webhooks", HOOK).json["secret"]
    ada.post("/players/me/push_subscriptions", PHONE)
    text = ada.get("/players/me/export").text
    lines = [json.loads(line) for line in text.splitlines()]
    found = {line.pop("type"): line for line in lines}
    assert found["notifications"] == ada.get("/players/me/notifications").json
    assert found["push_subscription"]["origin"] == "https://93.184.216.34"
    assert found["webhook"]["url"] == HOOK["url"]
    for hidden in (secret, PHONE["endpoint"], PHONE["keys"]["auth"], "encrypted"):
        assert hidden not in text
