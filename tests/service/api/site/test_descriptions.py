"""The description of the API in its forms, and what a client hears who asks for another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from fakeredis import FakeRedis
from flask import Flask

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.openapi.forms.opening import open_description
from cartulary.service.openapi.forms.streams import type_streams
from cartulary.service.process.settings import WebSettings
from tests.service.support.scene import problem

THERE_IS = ("/openapi.yaml", "/openapi.json", "/openapi-open.yaml", "/openapi-3.2.yaml")


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    """One service for all tests: it makes the description once, which takes half a second."""
    app = create_app(WebSettings(log_requests=False), Store(FakeRedis(), OFFERS), OFFERS)
    services = app.extensions["cartulary"]
    yield app
    services.board_pictures.close()
    services.hub.close()


def load(text: str) -> Any:
    return yaml.load(text, yaml.CSafeLoader)


@pytest.mark.slow
def test_the_open_form_is_made_from_the_closed_one(app: Flask, described: dict[str, Any]) -> None:
    answer = app.test_client().get("/openapi-open.yaml")
    assert answer.mimetype == "text/yaml"
    opened = open_description(described)
    assert load(answer.text) == opened
    typed = app.test_client().get("/openapi-3.2.yaml")
    assert load(typed.text) == type_streams(opened)
    tags = {app.test_client().head(path).headers["ETag"] for path in THERE_IS}
    assert len(tags) == len(THERE_IS)
    known = {"If-None-Match": answer.headers["ETag"]}
    assert app.test_client().get("/openapi-open.yaml", headers=known).status_code == 304


@pytest.mark.parametrize(
    "path", ["/openapi", "/openapi-4.yaml", "/openapi-open.json", "/openapi.xml", "/openapi.yml"]
)
def test_a_form_that_is_not_there_is_404_with_those_that_are(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    problem(answer, 404, "not_found")
    assert all(one in answer.text for one in THERE_IS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "accept"),
    [("/openapi.json", "application/yaml"), ("/openapi-open.yaml", "application/json")],
)
def test_a_media_type_that_is_not_there_is_406(app: Flask, path: str, accept: str) -> None:
    answer = app.test_client().get(path, headers={"Accept": accept})
    problem(answer, 406, "not_acceptable")
    assert all(one in answer.text for one in THERE_IS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "accept", ["*/*", "text/*", "application/yaml", "application/json, */*;q=0.1", ""]
)
def test_other_names_of_yaml_and_any_type_are_taken(app: Flask, accept: str) -> None:
    answer = app.test_client().get("/openapi.yaml", headers={"Accept": accept})
    assert answer.status_code == 200
