"""The description of the API in its forms: closed, open, and with typed streams."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, current_app, request
from werkzeug.datastructures import ETags

from cartulary.service.http.answers import set_tag
from cartulary.service.http.conditions import is_known
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import JSON, AnswerOf, View
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.openapi.document import Descriptions
from cartulary.service.openapi.openapi import describe

blueprint = Blueprint("descriptions", __name__)

YAML = "text/yaml"
_ACCEPTABLE = {
    JSON: (JSON, "application/vnd.oai.openapi+json"),
    YAML: (
        *(YAML, "application/yaml", "application/x-yaml", "text/x-yaml", "text/plain"),
        "application/vnd.oai.openapi",
    ),
}
"""What a client may call these forms in `Accept`."""

_THERE_IS = (
    "there is /openapi.yaml and /openapi.json (closed), /openapi-open.yaml (for generating "
    "clients) and /openapi-3.2.yaml (with typed streams)"
)
_CACHED = "cartulary-openapi"


def _description(summary: str, media: str, form: str = "3.1") -> Callable[[View], View]:
    """Return what makes a view of the operation that sends a form of the description."""
    return operation(
        "service",
        summary,
        {
            200: AnswerOf(f"OpenAPI {form}.", media=(media,), headers=("ETag",)),
            304: AnswerOf("It is what the client has."),
        },
        refusals=("not_acceptable",),
        any_query=True,
    )


@blueprint.get("/openapi.yaml")
@_description("This description, as YAML", YAML)
def show_openapi_yaml(services: Services, known: ETags) -> Response:
    """The file that is also at the top of the repository."""
    found = _describe(services).closed
    return _answer_description(known, found.digest, YAML, found.yaml)


@blueprint.get("/openapi.json")
@_description("This description, as JSON", JSON)
def show_openapi_json(services: Services, known: ETags) -> Response:
    """The same as `openapi.yaml`."""
    found = _describe(services).closed
    return _answer_description(known, found.digest, JSON, found.json)


@blueprint.get("/openapi-open.yaml")
@_description("This description for generating clients", YAML)
def show_openapi_open(services: Services, known: ETags) -> Response:
    """A client that is made from it reads the answers of later releases.

    Unions have a last member for all else, and enums of answers are strings. Requests are closed,
    but for moves: a legal move is sent back as it came.
    """
    found = _describe(services).open
    return _answer_description(known, found.digest, YAML, found.yaml)


@blueprint.get("/openapi-3.2.yaml")
@_description("The open description with typed streams", YAML, "3.2")
def show_openapi_typed_streams(services: Services, known: ETags) -> Response:
    """The same as `openapi-open.yaml` in OpenAPI 3.2, which can say what a stream consists of."""
    found = _describe(services).typed_streams
    return _answer_description(known, found.digest, YAML, found.yaml)


@blueprint.get("/openapi")
@blueprint.get("/openapi<form>")
def show_no_openapi(form: str = "") -> Response:
    """Refuse a form of the description that does not exist, and name those that do."""
    raise Problem("not_found", f"there is no /openapi{form}: {_THERE_IS}")


def _answer_description(known: ETags, digest: str, mimetype: str, text: str | bytes) -> Response:
    accepted = request.accept_mimetypes
    if accepted and not accepted.best_match(_ACCEPTABLE[mimetype]):
        detail = f"{request.path} is {mimetype}, which `Accept` does not name: {_THERE_IS}"
        raise Problem("not_acceptable", detail)
    tag = f'"{digest}-{mimetype.rpartition("/")[2]}"'
    answer = Response(status=304) if is_known(known, tag) else Response(text, mimetype=mimetype)
    return set_tag(answer, tag, "no-cache")


def _describe(services: Services) -> Descriptions:
    """Return the description, made once per process: code and games on offer do not change."""
    app = current_app
    found: Descriptions | None = app.extensions.get(_CACHED)
    if found is None:
        closed = describe(app, services.store.rules)
        found = app.extensions[_CACHED] = Descriptions(closed)
    return found
