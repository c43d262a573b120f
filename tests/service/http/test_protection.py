"""What strangers must not be able to do by a path, a header or a page of another origin."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from cartulary.service.http.wire.problems import write_refusal
from tests.service.support.scene import Scene, problem

PATHS = [
    "/",
    "/docs/",
    "/docs/api/try",
    "/docs/problems",
    "/docs/fairness",
    "/openapi.json",
    "/livez",
    "/api/v1/catalogue",
    "/nowhere",
]


def fill(rule: Rule, part: str) -> str:
    """Return the path of a rule with `part` for each of its arguments that takes any text."""
    path = rule.rule
    for piece in path.split("<")[1:]:
        name = piece.partition(">")[0]
        number = name.startswith("whole:")
        folder = name.startswith("any(")
        path = path.replace(f"<{name}>", "1" if number else "js" if folder else part, 1)
    return path


@pytest.mark.parametrize("part", ["%00", "a%00.js", "x" * 5000, "%2e%2e%00", "y" * 300 + ".json"])
@pytest.mark.slow
def test_no_path_is_a_failure_of_the_service(app: Flask, scene: Scene, part: str) -> None:
    del scene
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [fill(rule, part) for rule in rules if "<" in rule.rule]
    assert len(paths) > 10
    for path in paths:
        # the page of the client, whatever the game, the player, the puzzle, …
        folders = ("games", "players", "puzzles", "tournaments", "studies")
        if path in [f"/{folder}/{part}" for folder in folders]:
            continue
        if path == f"/embed/games/{part}":  # a page in a frame, which has no room for a problem
            assert app.test_client().get(path).status_code == 404
            continue
        if path == f"/email/{part}":  # a page for a person who has an old link
            assert app.test_client().get(path).status_code == 404
            continue
        # for a player only: who asks comes first
        if (
            "/me/" in path
            or "/operator/" in path
            or path.endswith(("/note", "/standing_answers", "/hint", "/times"))
        ):
            problem(app.test_client().get(path), 401, "token_missing")
            continue
        problem(app.test_client().get(path), 404, "not_found")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.slow
def test_every_answer_tells_browsers_to_be_careful(app: Flask, path: str) -> None:
    headers = app.test_client().get(path).headers
    assert headers.getlist("X-Content-Type-Options") == ["nosniff"]
    assert len(headers.getlist("Content-Security-Policy")) == 1
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] in ("no-referrer", "same-origin")
    assert "Strict-Transport-Security" not in headers


def test_a_refusal_of_the_server_itself_is_protected_as_well() -> None:
    head = write_refusal(HTTPStatus.BAD_REQUEST, "no HTTP", "/", "id").partition(b"\r\n\r\n")[0]
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in head + b"\r\n"


def test_browsers_are_to_stay_with_tls_where_they_came_by_tls(app: Flask) -> None:
    answer = app.test_client().get("/livez", base_url="https://example.org")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_the_metrics_are_for_no_page_of_another_origin(app: Flask) -> None:
    origin = {"Origin": "https://elsewhere.example"}
    client = app.test_client()
    assert client.get("/livez", headers=origin).headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in client.get("/metrics", headers=origin).headers


def test_no_header_says_below_which_path_the_service_is(make_app: Callable[..., Any]) -> None:
    client = make_app(proxies=1).test_client()
    headers = {"X-Forwarded-Prefix": "/evil", "Script-Name": "/evil", "SCRIPT_NAME": "/evil"}
    made = client.post("/api/v1/players", json={"name": "Ada"}, headers=headers)
    assert made.headers["Location"] == f"/api/v1/players/{made.json['id']}"


def test_a_failure_before_a_request_was_read_shows_nothing_of_the_inside() -> None:
    for status, detail in (
        (HTTPStatus.BAD_REQUEST, "no HTTP"),
        (HTTPStatus.INTERNAL_SERVER_ERROR, "Internal Server Error"),
    ):
        body = write_refusal(status, "no HTTP", "/", "id").partition(b"\r\n\r\n")[2]
        assert json.loads(body)["detail"] == detail
