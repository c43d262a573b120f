"""A deprecated operation says so in each of its answers and in the description."""

from __future__ import annotations

import datetime
from types import MappingProxyType
from typing import Any

import pytest
from flask import Flask, Response

from cartulary.games import GAMES
from cartulary.service.http import deprecations, endpoints
from cartulary.service.http.deprecations import DEPRECATED, DeprecationNotice
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.wire.problems import not_found
from cartulary.service.openapi import finishing
from cartulary.service.openapi import operations as described_operations
from cartulary.service.openapi.openapi import describe
from tests.service.support.openapi_file import operations

NOTICE = DeprecationNotice(
    datetime.date(2027, 1, 1), datetime.date(2027, 7, 3), "Use `show_player`."
)
HEADERS = {"Deprecation": "@1798761600", "Sunset": "Sat, 03 Jul 2027 00:00:00 GMT"}


@pytest.fixture
def app(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The service with a made-up deprecated operation, and a deprecated field."""
    table = MappingProxyType({"show_made_up": NOTICE, "Player.name": NOTICE})
    for module in (deprecations, endpoints, finishing, described_operations):
        monkeypatch.setattr(module, "DEPRECATED", table)

    @operation(
        "players", "Made up", {200: AnswerOf("Fine.")}, refusals=("not_found",), any_query=True
    )
    def show_made_up(seat: int) -> Response:
        """Show what nothing needs."""
        if seat:
            raise not_found("the seat")
        return Response("fine")

    app.add_url_rule("/made-up/<int:seat>", view_func=show_made_up)
    return app


@pytest.mark.slow
def test_every_answer_has_the_headers(app: Flask) -> None:
    for seat, status in ((0, 200), (1, 404)):
        answer = app.test_client().get(f"/made-up/{seat}")
        assert answer.status_code == status
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_no_other_answer_has_them(app: Flask) -> None:
    assert HEADERS.keys().isdisjoint({*app.test_client().get("/livez").headers.keys()})


@pytest.mark.slow
def test_the_description_marks_it(app: Flask) -> None:
    value = describe(app, GAMES).value
    found = operations(value)["show_made_up"]
    assert (found["deprecated"], found["x-sunset"]) == (True, "2027-07-03")
    assert found["description"].endswith(
        "Deprecated since 2027-01-01, gone on 2027-07-03: Use `show_player`."
    )
    assert found["responses"]["200"]["headers"].keys() >= HEADERS.keys()
    name = value["components"]["schemas"]["Player"]["properties"]["name"]
    assert (name["deprecated"], name["x-sunset"]) == (True, "2027-07-03")


def test_six_months_are_the_least() -> None:
    with pytest.raises(ValueError, match="less than 183 days"):
        DeprecationNotice(datetime.date(2027, 1, 1), datetime.date(2027, 7, 2), "Nothing.")


def test_what_the_table_names_exists(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    fields = {f"{name}.{key}" for name, one in schemas.items() for key in one.get("properties", ())}
    assert DEPRECATED.keys() <= fields | operations(described).keys()
