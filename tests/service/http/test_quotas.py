"""What a refusal for a quota says."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import fakeredis
import pytest
from flask import Flask

from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.support.caller import SMALL_CITY, Caller
from tests.service.support.scene import problem

BOTS = {"game": "carcassonne", "seats": [{"kind": "bot", "bot": "random"}] * 2}


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random) -> Store:
    limits = QuotaLimits(bots=2, imports=1)
    return Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, limits=limits)


@pytest.mark.slow
def test_the_refusal_says_which_quota_its_limit_and_when_there_is_a_place(
    ada: Caller, bob: Caller
) -> None:
    for _ in range(2):
        assert ada.post("/games", BOTS).status_code == 201
    answer = ada.post("/games", BOTS)
    body = problem(answer, 429, "quota_exceeded")
    assert (body["quota"], body["limit"], body["used"], body["free_at"]) == ("bots", 2, 2, None)
    assert answer.headers["Retry-After"] == "60"
    assert '"quota-bots";q=2' in answer.headers["RateLimit-Policy"].split(", ")
    assert '"quota-bots";r=0' in answer.headers["RateLimit"].split(", ")
    assert bob.post("/games", BOTS).status_code == 201
    assert ada.open()["status"] == "running"


def test_the_refusal_of_an_import_says_the_time(ada: Caller) -> None:
    assert ada.post("/games/import", SMALL_CITY).status_code == 201
    answer = ada.post("/games/import", SMALL_CITY)
    body = problem(answer, 429, "quota_exceeded")
    assert body["quota"] == "imports"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", body["free_at"])
    assert 3590 < int(answer.headers["Retry-After"]) <= 3601
    assert '"quota-imports";q=1;w=3600' in answer.headers["RateLimit-Policy"]
    assert re.search(r'"quota-imports";r=0;t=3\d{3}$', answer.headers["RateLimit"])


def test_a_repeated_request_gets_its_stored_answer(
    ada: Caller, make_app: Callable[..., Flask]
) -> None:
    headers = {"Idempotency-Key": "k"}
    first = ada.post("/games/import", SMALL_CITY, headers=headers)
    again = ada.post("/games/import", SMALL_CITY, headers=headers)
    assert (again.status_code, again.json["id"]) == (201, first.json["id"])
