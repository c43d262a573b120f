"""What is the same for all requests: origins, ids, logs, metrics, settings, pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from flask import Flask

from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from cartulary.service.http.shared.rate_limits import EXACT, RateLimits
from cartulary.service.http.wire import observer
from cartulary.service.http.wire.problem_kinds import KINDS
from cartulary.service.http.wire.problems import Problem
from cartulary.service.process.bounds import choose_most_streams
from cartulary.service.process.settings import WebSettings
from tests.fairness.script import read_script
from tests.service.support.caller import API, METRICS, Caller
from tests.service.support.scene import problem
from tests.support.polling import until

PAGE = {"Origin": "https://elsewhere.example"}


class TestOrigins:
    def test_any_page_may_call_and_read_what_it_needs(self, ada: Caller) -> None:
        answer = ada.get("/games", headers=PAGE)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert set(answer.headers["Access-Control-Expose-Headers"].split(", ")) == {
            *("ETag", "Location", "Idempotency-Replayed", "Retry-After", "X-Request-Id"),
            *("Preference-Applied", "RateLimit", "RateLimit-Policy"),
        }
        assert "Access-Control-Allow-Credentials" not in answer.headers

    @pytest.mark.parametrize("method", ["POST", "DELETE", "GET"])
    def test_the_preflight_of_a_browser_is_answered_with_yes(
        self, visitor: Caller, method: str
    ) -> None:
        wanted = (
            "authorization,content-type,idempotency-key,if-match,last-event-id,prefer,x-request-id"
        )
        answer = visitor.send(
            "OPTIONS",
            "/games",
            headers={
                **PAGE,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": wanted,
            },
        )
        assert answer.status_code == 200
        assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
        allowed = answer.headers["Access-Control-Allow-Headers"].lower().replace(" ", "")
        assert set(wanted.split(",")) <= set(allowed.split(","))

    @pytest.mark.slow
    def test_refusals_may_be_read_too(self, visitor: Caller) -> None:
        answer = visitor.get("/games/unknown", headers=PAGE)
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (404, "*")

    def test_origins_may_be_restricted(self, make_app: Callable[..., Flask]) -> None:
        client = make_app(cors_origins=("https://ours.example",)).test_client()
        ours = client.get(f"{API}/games", headers={"Origin": "https://ours.example"})
        assert ours.headers["Access-Control-Allow-Origin"] == "https://ours.example"
        theirs = client.get(f"{API}/games", headers=PAGE)
        assert "Access-Control-Allow-Origin" not in theirs.headers
        nobodys = client.get(f"{API}/games")
        assert all("Origin" in answer.headers["Vary"] for answer in (ours, nobodys))

    def test_what_a_cache_may_keep_is_good_for_every_page(self, ada: Caller) -> None:
        answer = ada.get(f"/games/{ada.open()['id']}/states/1")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


class TestRequestIds:
    def test_an_id_is_taken_over(self, ada: Caller) -> None:
        answer = ada.get("/games", headers={"X-Request-Id": "abc-1.2_3"})
        assert answer.headers["X-Request-Id"] == "abc-1.2_3"

    @pytest.mark.slow
    @pytest.mark.parametrize("given", ["", "a b", "é", 'x"', "x" * 129, None])
    def test_anything_else_is_replaced(self, ada: Caller, given: str | None) -> None:
        headers = {} if given is None else {"X-Request-Id": given.encode().decode("latin-1")}
        answer = ada.get("/games", headers=headers)
        assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-Id"])


def test_metrics_count_requests_by_route_and_events_by_type(ada: Caller) -> None:
    game_id = ada.open()["id"]
    ada.move(game_id, headers={"Idempotency-Key": "k"})
    ada.get("/games/unknown")
    text = ada.client.get("/metrics", headers=METRICS).text
    count = "cartulary_http_request_seconds_count"
    route = "/api/v1/games/<game:game_id>"
    assert f'{count}{{method="GET",route="{route}",status="404"}} 1.0' in text
    assert f'{count}{{method="POST",route="{route}/moves",status="201"}} 1.0' in text
    assert 'cartulary_events_written_total{type="move_made"} 1.0' in text
    assert game_id not in text


def test_metrics_sum_how_long_requests_took(
    visitor: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = iter((1000.0, 1000.25, 2000.0, 2000.0))
    monkeypatch.setattr(observer, "perf_counter", lambda: next(read))
    assert visitor.get("/games/unknown").status_code == 404
    text = visitor.client.get("/metrics", headers=METRICS).text
    (line,) = [one for one in text.splitlines() if "request_seconds_sum" in one and "games" in one]
    assert line.endswith(" 0.25")


def test_strangers_make_up_no_labels(ada: Caller) -> None:
    ada.client.open("/no/such/path", method="BREW")
    text = ada.client.get("/metrics", headers=METRICS).text
    count = "cartulary_http_request_seconds_count"
    assert f'{count}{{method="-",route="-",status="404"}} 1.0' in text
    assert "BREW" not in text


def test_every_road_to_a_game_tells_it_byte_for_byte_alike(ada: Caller, store: Store) -> None:
    """An entity tag stands for bytes, whichever process answers and however it got the game."""
    game_id = ada.open(game="carcassonne")["id"]
    told = ada.move(game_id).get_data()
    store.projector.forget()
    shown = ada.get(f"/games/{game_id}").get_data()
    assert told.endswith(b',"game":' + shown + b"}")


class TestLimits:
    def test_a_window_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = [100.0]
        monkeypatch.setattr(
            "cartulary.service.http.shared.rate_limits.time.monotonic", lambda: clock[0]
        )
        limits = RateLimits({"writes": "2/minute"})
        limits.hit("writes", "ada")
        limits.hit("writes", "ada")
        limits.hit("writes", "bob")
        clock[0] += 59
        with pytest.raises(Problem) as refused:
            limits.hit("writes", "ada")
        assert refused.value.headers == {"Retry-After": "1"}
        clock[0] += 1
        limits.hit("writes", "ada")

    def test_an_empty_rate_is_no_limit(self) -> None:
        limits = RateLimits({"writes": ""})
        for _ in range(1000):
            limits.hit("writes", "ada")


class TestSettings:
    def test_the_environment_is_read(self) -> None:
        settings = WebSettings.from_environment(
            {
                "CARTULARY_THREADS": "20",
                "CARTULARY_STREAMS": "15",
                "CARTULARY_CORS_ORIGINS": "https://a.example, https://b.example",
                "CARTULARY_RATE_PLAYERS": "5/minute",
                "CARTULARY_LOG_REQUESTS": "0",
            }
        )
        assert (settings.threads, settings.streams) == (20, 15)
        assert settings.cors_origins == ("https://a.example", "https://b.example")
        assert settings.rates == {**WebSettings().rates, "players": "5/minute"}
        assert set(settings.rates) == {"writes", "previews", *EXACT}
        assert not settings.log_requests

    def test_an_empty_environment_gives_the_defaults(self) -> None:
        assert WebSettings.from_environment({}) == WebSettings()

    def test_what_cannot_be_read_is_named(self) -> None:
        with pytest.raises(ValueError, match="CARTULARY_MAX_BODY"):
            WebSettings.from_environment({"CARTULARY_MAX_BODY": "1 MB"})

    @pytest.mark.parametrize("seconds", ["-1", "3601"])
    def test_a_number_out_of_its_range_is_named(self, seconds: str) -> None:
        with pytest.raises(
            ValueError, match="CARTULARY_CLIENT_TIMEOUT must be a whole number from 0 to 3600"
        ):
            WebSettings.from_environment({"CARTULARY_CLIENT_TIMEOUT": seconds})

    def test_streams_need_no_threads(self) -> None:
        settings = WebSettings.from_environment({"CARTULARY_THREADS": "1"})
        assert settings.streams == choose_most_streams()
        with pytest.raises(
            ValueError, match="CARTULARY_THREADS must be a whole number from 1 to 1000"
        ):
            WebSettings.from_environment({"CARTULARY_THREADS": "0"})


@pytest.mark.process
def test_importing_the_wsgi_module_connects_to_nothing() -> None:
    program = "import cartulary.service.wsgi, sys; sys.exit('redis' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_an_address_behind_a_proxy_is_that_of_the_client(
    make_app: Callable[..., Flask],
) -> None:
    client = make_app(proxies=1, rates={"players": "1/minute"}).test_client()
    for number in range(3):
        headers = {"X-Forwarded-For": f"198.51.100.{number}"}
        answer = client.post(f"{API}/players", json={"name": "Ada"}, headers=headers)
        assert answer.status_code == 201


class TestPages:
    @pytest.mark.parametrize("path", ["/docs/api/try", "/docs/problems", "/docs/fairness"])
    def test_pages_bring_all_they_need_and_may_run_nothing_else(
        self, visitor: Caller, path: str
    ) -> None:
        page = visitor.client.get(path)
        assert page.mimetype == "text/html"
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "http" not in policy
        for source in re.findall(r'(?:src|href)="([^"#]+)"', page.text):
            assert source.startswith("/")
            assert visitor.client.get(source).status_code == 200
        assert not re.search(r"<script(?! src=)|\son\w+=", page.text)

    def test_every_kind_of_problem_is_explained_where_its_type_points(
        self, visitor: Caller
    ) -> None:
        page = visitor.client.get("/docs/problems").text
        assert set(re.findall(r'<tr id="(\w+)">', page)) == set(KINDS)
        assert all(len(kind.advice) > 20 and kind.advice.endswith(".") for kind in KINDS.values())

    def test_the_page_about_fairness_shows_the_script_of_the_docs(self, visitor: Caller) -> None:
        page = visitor.client.get("/docs/fairness").text
        (shown,) = re.findall(r"(?s)<pre><code>(.*?)</code></pre>", page)
        assert unescape(shown) == read_script()

    @pytest.mark.slow
    def test_the_reference_reads_our_own_description(self, visitor: Caller) -> None:
        script = visitor.client.get("/docs/pages/try.js").text
        (url,) = re.findall(r'url: "([^"]+)"', script)
        assert json.loads(visitor.client.get(url).data)["openapi"] == "3.1.0"


def test_health(visitor: Caller, store: Store) -> None:
    store.heartbeats.write(queued=0, queue_age=0.0)
    for path, status in (("/livez", "alive"), ("/readyz", "ready")):
        answer: Any = visitor.client.get(path)
        assert (answer.status_code, answer.json["status"]) == (200, status)
    assert answer.json["missing_slots"] == ""


def test_a_seat_is_taken_though_the_seeks_do_not_follow(
    ada: Caller, bob: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ada.open("me", "open")["id"]
    monkeypatch.setattr(store.matchmaker, "note_seated", lambda *_: 1 / 0)
    assert bob.post(f"/games/{game}/seats", {}).status_code == 201
    text = ada.client.get("/metrics", headers=METRICS).text
    assert 'answer_parts_failed_total{part="seeks"} 1.0' in text


def test_metrics_show_the_time_from_an_append_to_its_hand_over(
    ada: Caller, visitor: Caller, hub: Hub
) -> None:
    game = ada.open()
    with hub.subscribe(game["id"], game["version"]) as subscription:
        ada.move(game["id"])
        assert len(subscription.get(10)) == 1
        count = "cartulary_event_age_seconds_count 1.0"
        assert until(lambda: count in visitor.client.get("/metrics", headers=METRICS).text)


class TestMetricsToken:
    def test_without_the_setting_there_are_no_metrics(self, make_app: Callable[..., Flask]) -> None:
        client = make_app(metrics_token="").test_client()
        for headers in ({}, METRICS, {"Authorization": "Bearer "}):
            problem(client.get("/metrics", headers=headers), 404, "not_found")

    def test_only_the_token_of_the_metrics_opens_them(self, app: Flask, ada: Caller) -> None:
        client = app.test_client()
        local = {"REMOTE_ADDR": "127.0.0.1"}
        problem(client.get("/metrics", environ_overrides=local), 401, "token_missing")
        for token in (ada.token, "x", "é"):
            headers = {"Authorization": f"Bearer {token}".encode().decode("latin-1")}
            problem(client.get("/metrics", headers=headers), 401, "token_unknown")
        assert client.get("/metrics", headers=METRICS).status_code == 200


class TestPublicUrl:
    def test_links_are_relative_whatever_host_the_client_names(self, ada: Caller) -> None:
        body = {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}
        hosts = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
        answer = ada.post("/games", body, headers=hosts)
        assert answer.headers["Location"] == f"{API}/games/{answer.json['id']}"

    def test_links_begin_with_the_public_address(self, make_app: Callable[..., Flask]) -> None:
        client = make_app(public_url="https://games.example/table", proxies=1).test_client()
        answer = client.post(
            f"{API}/players", json={"name": "Ada"}, headers={"X-Forwarded-Host": "evil.example"}
        )
        expected = f"https://games.example/table{API}/players/{answer.get_json()['id']}"
        assert answer.headers["Location"] == expected

    @pytest.mark.parametrize("url", ["games.example", "ftp://games.example", "https://", "x:y"])
    def test_an_invalid_public_address_is_refused(self, url: str) -> None:
        with pytest.raises(ValueError, match="CARTULARY_PUBLIC_URL"):
            WebSettings.from_environment({"CARTULARY_PUBLIC_URL": url})

    def test_a_slash_at_the_end_does_not_count(self) -> None:
        settings = WebSettings.from_environment({"CARTULARY_PUBLIC_URL": "https://games.example/"})
        assert settings.public_url == "https://games.example"
