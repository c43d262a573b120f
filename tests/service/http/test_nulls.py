"""Null in a field of a request that may be missing means that it is missing."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from marshmallow import Schema, ValidationError

from cartulary.service.http.operations import operation_of
from cartulary.service.openapi import examples
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Request
from tests.service.support.caller import SMALL_CITY, Caller
from tests.service.support.openapi_file import check, operations
from tests.service.support.scene import problem


@pytest.fixture
def bodies(app: Flask) -> dict[str, type[Schema]]:
    """The schema of each body, by operation."""
    found = {view.__name__: operation_of(view) for view in app.view_functions.values()}
    return {name: one.body for name, one in found.items() if one is not None and one.body}


def add_nulls(schema: Schema, value: dict[str, Any]) -> dict[str, Any]:
    """Return a body with null in every field that it leaves out and may leave out."""
    known = {field.data_key or name for name, field in schema.fields.items()}
    filled = {key: one for key, one in value.items() if key not in known}
    for name, field in schema.fields.items():
        key = field.data_key or name
        if key in value:
            filled[key] = fill(field, value[key])
        elif not field.required:
            filled[key] = None
    return filled


def fill(field: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(field, fields.List):
        return [fill(field.inner, one) for one in value]
    return add_nulls(field.schema, value) if isinstance(field, fields.Nested) else value


@pytest.mark.parametrize("operation", sorted(examples.REQUESTS))
@pytest.mark.slow
def test_every_request_may_be_sent_with_all_its_fields(
    bodies: dict[str, type[Schema]], described: dict[str, Any], operation: str
) -> None:
    schema = bodies[operation]()
    said = operations(described)[operation]["requestBody"]["content"]["application/json"]["schema"]
    for example in examples.REQUESTS[operation].values():
        filled = add_nulls(schema, example["value"])
        check(described, said, filled)
        assert drop_nulls(schema.load(filled)) == drop_nulls(schema.load(example["value"]))


def drop_nulls(loaded: dict[str, Any]) -> dict[str, Any]:
    """Return what was loaded without the defaults that are None."""
    return {key: value for key, value in loaded.items() if value is not None}


def test_every_body_is_tried(bodies: dict[str, type[Schema]]) -> None:
    assert bodies.keys() == examples.REQUESTS.keys()


class OneOfEach(Request):
    """A field of each kind."""

    needed = fields.Integer(required=True)
    may_be_null = fields.Integer(allow_none=True)
    may_be_missing = fields.Integer(load_default=7)
    renamed = fields.Integer(data_key="from")


def test_null_counts_as_missing_where_it_means_nothing_else() -> None:
    sent = {"needed": 1, "may_be_null": None, "may_be_missing": None, "from": None}
    loaded = OneOfEach().load(sent)
    assert loaded == {"needed": 1, "may_be_null": None, "may_be_missing": 7}


@pytest.mark.parametrize("sent", [{"needed": None}, {"needed": 1, "unknown": None}])
def test_null_in_a_needed_or_an_unknown_field_is_refused(sent: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OneOfEach().load(sent)


def test_a_body_full_of_nulls_opens_a_game(ada: Caller) -> None:
    seats = [{"kind": "me", "bot": None, "player": None}, {"kind": "me", "bot": None}]
    body = {"game": "carcassonne", "seats": seats, "options": None, "pace": None, "rated": None}
    assert ada.post("/games", body).status_code == 201
    problem(ada.post("/games", {**body, "game": None}), 422, "invalid")


@pytest.mark.parametrize("key", ["options", "players", "bag", "result", "ending", "visibility"])
def test_null_in_a_transcript_of_a_request_means_missing(ada: Caller, key: str) -> None:
    file = {**SMALL_CITY, key: None}
    assert ada.post("/games/import", file).status_code == 201
    local = {"transcript": {**file, "origin": "local"}}
    assert ada.put("/players/me/local_games/abcdefgh", local).status_code == 200
    problem(ada.post("/games/import", {**file, "setup": None}), 422, "invalid")


def test_an_unknown_key_of_a_transcript_keeps_its_null(ada: Caller) -> None:
    game = ada.post("/games/import", {**SMALL_CITY, "note": None}).json
    assert ada.get(f"/games/{game['id']}/transcript").json["note"] is None


CUP = {
    "name": "Cup",
    "game": "carcassonne",
    "table": [2],
    "format": "swiss",
    "pace": {"mode": "live", "delay": 30, "bank": 60},
    "entrants": {"max": 4},
    "start": {"by_host": True},
}


@pytest.mark.parametrize(
    ("path", "body", "shown"),
    [
        ("/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}, ("options",)),
        ("/seeks", {"game": "carcassonne", "seats": [2]}, ("seek", "options")),
        ("/tournaments", CUP, ("options",)),
    ],
    ids=["game", "seek", "tournament"],
)
def test_null_in_an_option_means_its_default(
    ada: Caller, path: str, body: dict[str, Any], shown: tuple[str, ...]
) -> None:
    answer = ada.post(path, {**body, "options": {"tiny_city": None}})
    assert answer.status_code == 201, answer.text
    found = answer.json
    for key in shown:
        found = found[key]
    assert found == {"tiny_city": 4}
