"""Queries: strict as bodies are, so that a typing mistake never passes for a default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request
from marshmallow import RAISE, Schema, ValidationError

from cartulary.service.http.bodies import list_faults
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.problems import InvalidProblem


class _NoParameters(Schema):
    class Meta(Schema.Meta):
        unknown = RAISE


_NO_PARAMETERS = _NoParameters()


def bind_query(schema: Schema) -> Callable[[Environ, Services], dict[str, Any]]:
    """Return a function that reads the query of a request as `schema` loads it.

    The function raises `InvalidProblem` for what does not fit, and for a repeated parameter. Every
    parameter of `schema` must be optional.
    """
    defaults: dict[str, Any] = schema.load({})

    def read(environ: Environ, _services: Services) -> dict[str, Any]:
        return _load_query(schema) if environ.get("QUERY_STRING") else {**defaults}

    return read


def refuse_query(environ: Environ, _services: Services) -> None:
    """Raise `InvalidProblem` for a request with a query, where the operation takes none."""
    if environ.get("QUERY_STRING"):
        _load_query(_NO_PARAMETERS)


def _load_query(schema: Schema) -> dict[str, Any]:
    given = request.args
    faults: dict[str, Any] = {}
    loaded: dict[str, Any] = {}
    try:
        loaded = schema.load(given.to_dict())
    except ValidationError as error:
        faults = dict(error.messages_dict)
    faults |= {name: "is given more than once" for name, all_ in given.lists() if len(all_) > 1}
    if faults:
        raise InvalidProblem(list_faults(faults))
    return loaded
