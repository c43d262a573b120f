"""Operations of `openapi.yaml`, from what stands next to each view."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from marshmallow import Schema
from werkzeug.routing import Rule

from cartulary.service.http.deprecations import DEPRECATED, DeprecationNotice, mark
from cartulary.service.http.operations import ALWAYS, JSON, STANDING, AnswerOf, Operation
from cartulary.service.http.wire.problem_kinds import KINDS
from cartulary.service.http.wire.problems import MEDIA_TYPE
from cartulary.service.openapi import examples
from cartulary.service.openapi.texts import PATH_PARAMETERS, REQUEST_HEADERS, SECURITY
from cartulary.service.schemas.problems import ProblemAnswer

Json = dict[str, Any]

_STRING: Json = {"type": "string"}
MEDIA: dict[str, Json] = {
    JSON: {"schema": {"type": "object", "additionalProperties": True}},
    "text/plain": {"schema": _STRING},
    "text/calendar": {"schema": _STRING},
    "application/x-ndjson": {"schema": _STRING},
}
"""What is said of an answer without a schema of its own, by media type.

Server-sent events have no schema: generators would read the whole stream as a single value.
"""

_LINES: dict[str, Json] = {
    "application/x-ndjson": {
        "schema": {**_STRING, "description": "Each line is a `StreamLine`, or empty."}
    }
}
"""What is said of streams."""


def describe_operation(rule: Rule, found: Operation, view: Any) -> Json:
    """Return the operation of a view at a route."""
    name = view.__name__
    described: Json = {
        "operationId": name,
        "tags": [found.tag],
        "summary": found.summary,
        "description": inspect.getdoc(view) or "",
        "parameters": _parameters(rule, found),
        "responses": {
            str(status): response
            for status, response in sorted(
                {**_answers(found, name), **_refusals(found, _reads(rule))}.items()
            )
        },
    }
    body = found.described_body or found.body
    if body is not None:
        described["requestBody"] = {
            "required": not found.body_optional,
            "content": {JSON: _content(body, examples.REQUESTS.get(name))},
        }
    security = SECURITY[found.token]
    described["security"] = [] if security is None else security
    notice = DEPRECATED.get(name)
    return described if notice is None else _deprecate(described, notice)


def _deprecate(described: Json, notice: DeprecationNotice) -> Json:
    """Return the operation as deprecated; each answer has the headers that say so."""
    for response in described["responses"].values():
        response["headers"] = {**response.get("headers", {}), **_refer_to(notice.headers)}
    return mark(described, notice)


def _parameters(rule: Rule, found: Operation) -> list[Json]:
    in_path = [
        {"in": "path", "name": name, "required": True, **PATH_PARAMETERS[name]}
        for name in sorted(rule.arguments, key=rule.rule.index)
    ]
    in_headers = [
        {"in": "header", "name": name, "required": False, **REQUEST_HEADERS[name]}
        for name in found.headers
    ]
    in_query: list[Json] = []
    if found.query is not None:
        in_query = [{"in": "query", "schema": found.query}]
    return [*in_path, *in_query, *in_headers]


def _answers(found: Operation, name: str) -> dict[int, Json]:
    return {
        status: _answer(status, answer, examples.ANSWERS.get(name))
        for status, answer in found.answers.items()
    }


def _answer(status: int, answer: AnswerOf, example: Any) -> Json:
    described: Json = {"description": answer.text}
    if answer.headers or status == HTTPStatus.NOT_MODIFIED:
        # A 304 has the tag of what the client has (RFC 9110, 15.4.5).
        described["headers"] = _refer_to(answer.headers or ("ETag",))
    if answer.schema is not None:
        described["content"] = {JSON: _content(answer.schema, example)}
    elif answer.media != (JSON,) or answer.headers:
        media = MEDIA | _LINES if "text/event-stream" in answer.media else MEDIA
        described["content"] = {kind: media.get(kind, {}) for kind in answer.media}
    return described


def _content(schema: type[Schema], given: Any) -> Json:
    content: Json = {"schema": schema}
    if given is not None:
        content["examples"] = given
    return content


def _reads(rule: Rule) -> bool:
    return "GET" in (rule.methods or ())


def _refusals(found: Operation, reads: bool) -> dict[int, Json]:
    """Return a response for each status that the operation refuses with, naming the codes.

    Who is suspended may read everything.
    """
    by_status: dict[int, list[str]] = {}
    own = [code for code in found.refusals if not (reads and code == "suspended")]
    for code in (*own, *ALWAYS):
        by_status.setdefault(KINDS[code].status, []).append(code)
    if "If-Match" in found.headers:
        by_status[412] = ["stale_version"]
    return {status: _refusal(status, codes) for status, codes in by_status.items()}


def _refusal(status: int, codes: list[str]) -> Json:
    lines = [f"`{code}`: {KINDS[code].title}." for code in codes]
    described: Json = {
        "description": " ".join(lines),
        "content": {MEDIA_TYPE: {"schema": ProblemAnswer}},
    }
    extra: dict[int, tuple[str, ...]] = {
        401: ("WWW-Authenticate",),
        412: ("ETag",),
        429: ("Retry-After", *STANDING),
        503: ("Retry-After",),
    }
    if status in extra:
        described["headers"] = _refer_to(extra[status])
    return described


def _refer_to(headers: Iterable[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
