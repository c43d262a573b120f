"""Limits on the store: exact over all processes, and shown in the answers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fakeredis import FakeServer
from flask import Flask
from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.service.http.shared import rate_limits
from cartulary.service.http.shared.rate_limits import EXACT, RateLimits
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.rate_limit_headers import RateLimitStanding
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import API, SMALL_CITY, Caller, played_out, register_player
from tests.service.support.scene import problem

SEATS = [{"kind": "me"}, {"kind": "me"}]
GAME = {"game": "carcassonne", "seats": SEATS}


@pytest.mark.real
@pytest.mark.parametrize("name", EXACT)
def test_many_requests_at_once_in_several_processes_pass_exactly_as_often_as_the_limit_says(
    real_redis: Redis, name: str
) -> None:
    processes = [RateLimits({name: "10/minute"}, real_redis) for _ in range(4)]

    def passes(number: int) -> bool:
        try:
            processes[number % 4].hit(name, "ada")
        except Problem:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(passes, range(60))) == 10


def test_two_processes_count_together(make_app: Callable[..., Flask], ada: Caller) -> None:
    apps = [make_app(rates={"games": "3/minute"}) for _ in range(2)]
    callers = [Caller(app.test_client(), ada.token) for app in apps]
    answers = [callers[number % 2].post("/games", GAME) for number in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]


def test_an_answer_says_where_the_caller_stands(make_app: Callable[..., Flask]) -> None:
    client = make_app(rates={"players": "2/minute; 5/hour"}).test_client()
    answers = [client.post(f"{API}/players", json={"name": "Ada"}) for _ in range(3)]
    for answer in answers:
        assert answer.headers["RateLimit-Policy"].startswith('"players";q=2;w=60')
    assert answers[0].headers["RateLimit-Policy"] == '"players";q=2;w=60, "players";q=5;w=3600'
    assert answers[0].headers["RateLimit"] == '"players";r=1;t=60, "players";r=4;t=3600'
    assert answers[2].headers["RateLimit"].startswith('"players";r=0;t=')
    problem(answers[2], 429, "rate_limited")
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60


def test_a_move_says_nothing_of_limits_until_it_is_refused(
    make_app: Callable[..., Flask], ada: Caller
) -> None:
    game_id = ada.open()["id"]
    caller = Caller(make_app(rates={"writes": "1/minute"}).test_client(), ada.token)
    assert "RateLimit" not in caller.move(game_id).headers
    refused = caller.move(game_id)
    problem(refused, 429, "rate_limited")
    assert refused.headers["RateLimit-Policy"] == '"writes";q=1;w=60'
    assert refused.headers["RateLimit"].startswith('"writes";r=0;t=')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path", "body"),
    [
        ("games", "/games", GAME),
        ("imports", "/games/import", SMALL_CITY),
        ("tickets", "/games/{}/events/ticket", None),
    ],
)
def test_each_kind_has_a_limit_of_its_own(
    make_app: Callable[..., Flask], ada: Caller, bob: Caller, name: str, path: str, body: Any
) -> None:
    path = path.format(ada.open()["id"])
    app = make_app(rates={name: "1/minute"})
    first, second = (Caller(app.test_client(), one.token) for one in (ada, bob))
    assert first.post(path, body).status_code == 201
    problem(first.post(path, body), 429, "rate_limited")
    assert second.post(path, body).status_code == 201


def test_verifications_are_counted_per_player_and_per_address_without_a_token(
    make_app: Callable[..., Flask], ada: Caller, bob: Caller
) -> None:
    games = [played_out(ada) for _ in range(4)]
    app = make_app(rates={"verifications": "1/minute"})
    callers = [Caller(app.test_client(), token) for token in (ada.token, bob.token, None)]
    for game_id, caller in zip(games, callers, strict=False):
        assert caller.get(f"/games/{game_id}/verification").status_code == 200
    for caller in callers:
        problem(caller.get(f"/games/{games[3]}/verification"), 429, "rate_limited")


@pytest.mark.parametrize(
    ("address", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
    ],
)
def test_registrations_are_counted_per_address_and_a_network_of_ipv6_is_one_address(
    make_app: Callable[..., Flask], address: str, other: str, same: bool
) -> None:
    client = make_app(rates={"players": "1/minute"}, proxies=1).test_client()
    statuses = [
        client.post(
            f"{API}/players", json={"name": "Ada"}, headers={"X-Forwarded-For": one}
        ).status_code
        for one in (address, other)
    ]
    assert statuses == [201, 429 if same else 201]


def test_a_store_that_is_away_makes_the_limiter_answer_503(
    app: Flask, ada: Caller, server: FakeServer
) -> None:
    server.connected = False
    problem(app.test_client().post(f"{API}/players", json={"name": "Bob"}), 503, "unavailable")
    problem(ada.post("/games", GAME), 503, "unavailable")


def test_a_store_that_takes_no_writes_refuses_no_verification(
    make_app: Callable[..., Flask], ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [played_out(ada) for _ in range(2)]
    caller = Caller(make_app(rates={"verifications": "1/minute"}).test_client(), ada.token)

    def full(*_arguments: object, **_named: object) -> None:
        raise ResponseError("MISCONF Redis is configured to save RDB snapshots")

    monkeypatch.setattr("limits.strategies.MovingWindowRateLimiter.hit", full)
    assert caller.get(f"/games/{games[0]}/verification").status_code == 200
    problem(caller.get(f"/games/{games[1]}/verification"), 429, "rate_limited")


def test_the_counts_expire(make_app: Callable[..., Flask], store: Store) -> None:
    ada = register_player(make_app(rates=WebSettings().rates), "Ada")
    ada.open()
    counts = list(store.redis.scan_iter(f"{keys.LIMITS}:*"))
    assert counts
    assert all(0 < store.redis.ttl(count) <= 3600 for count in counts)


def test_a_refusal_that_knows_no_end_is_to_be_tried_again_in_a_second() -> None:
    for reset, shown in ((0, "1"), (7, "7")):
        refused = rate_limits._refuse(RateLimitStanding("writes", 5, 60, 0, reset, True), None)  # noqa: SLF001
        assert dict(refused.headers)["Retry-After"] == shown
