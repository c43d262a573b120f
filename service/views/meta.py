"""About the service itself: health, metrics, the description of the API."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app

from cartulary.service.description.openapi import Description, describe
from cartulary.service.description.schemas.resources import HealthAnswer
from cartulary.service.http.bodies import json_response
from cartulary.service.http.conditions import not_modified, with_tag
from cartulary.service.http.context import parts
from cartulary.service.http.operations import AnswerOf, operation
from cartulary.service.process.metrics import CONTENT_TYPE

blueprint = Blueprint("meta", __name__)
_CACHED = "cartulary-openapi"


@blueprint.get("/livez")
@operation("service", "Is the process alive?", {200: AnswerOf("It is.", HealthAnswer)})
def show_liveness() -> Response:
    """Asks nobody else: a process that cannot answer this is to be started again."""
    return json_response({"status": "alive"}, headers={"Cache-Control": "no-store"})


@blueprint.get("/readyz")
@operation("service", "Can it serve?", {200: AnswerOf("It can.", HealthAnswer)})
def show_readiness() -> Response:
    """503 while the store cannot be reached: send no requests then."""
    parts().store.ping()
    return json_response({"status": "ready"}, headers={"Cache-Control": "no-store"})


@blueprint.get("/metrics")
@operation("service", "Metrics for Prometheus", {200: AnswerOf("Metrics.", media=("text/plain",))})
def show_metrics() -> Response:
    """Those of all web processes together when `PROMETHEUS_MULTIPROC_DIR` is set."""
    return Response(parts().metrics.text(), content_type=CONTENT_TYPE)


@blueprint.get("/openapi.yaml")
@operation(
    "service",
    "This description, as YAML",
    {
        200: AnswerOf("OpenAPI 3.1.", media=("text/yaml",), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
)
def show_openapi_yaml() -> Response:
    """The file that is also at the top of the repository."""
    return _described("text/yaml", "yaml")


@blueprint.get("/openapi.json")
@operation(
    "service",
    "This description, as JSON",
    {
        200: AnswerOf("OpenAPI 3.1.", headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
)
def show_openapi_json() -> Response:
    """The same as `openapi.yaml`."""
    return _described("application/json", "json")


def _described(mimetype: str, form: str) -> Response:
    description = _description()
    tag = f'"{description.digest}-{form}"'
    if not_modified(tag):
        return with_tag(Response(status=304), tag, "no-cache")
    text: Any = getattr(description, form)
    return with_tag(Response(text, mimetype=mimetype), tag, "no-cache")


def _description() -> Description:
    """Return the description, made once per process: it depends on nothing but the code."""
    app = current_app
    found: Description | None = app.extensions.get(_CACHED)
    if found is None:
        found = app.extensions[_CACHED] = describe(app)
    return found
