"""Queries: strict as bodies are, so that a typing mistake never passes for a default."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, request
from marshmallow import Schema, ValidationError

from cartulary.service.description.schemas.base import Request
from cartulary.service.http.bodies import pointers
from cartulary.service.http.context import environ
from cartulary.service.http.operations import operation_of
from cartulary.service.http.problems import Invalid

_NONE = Request()


def read_query(schema: Schema) -> Any:
    """Return the query of the request as `schema` loads it.

    Raises `Invalid` for what does not fit, and for a parameter that is given more than once.
    """
    asked = request.args
    faults: dict[str, Any] = {}
    loaded: Any = None
    try:
        loaded = schema.load(asked.to_dict())
    except ValidationError as error:
        faults = error.normalized_messages()
    faults |= {name: "is given more than once" for name, all_ in asked.lists() if len(all_) > 1}
    if faults:
        raise Invalid(pointers(faults))
    return loaded


def register(app: Flask) -> None:
    """Make every operation so far that takes no query refuse one.

    Not a hook before all requests: moves have a query of their own, and need not wait for it.
    """
    for endpoint, view in app.view_functions.items():
        found = operation_of(view)
        if found is not None and found.query is None:
            app.view_functions[endpoint] = _without_query(view)


def _without_query(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def strict(**kwargs: Any) -> Response:
        if environ().get("QUERY_STRING"):
            read_query(_NONE)
        answer: Response = view(**kwargs)
        return answer

    return strict
