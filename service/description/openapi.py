"""`openapi.yaml`, generated from the schemas and from the views and their operations."""

from __future__ import annotations

import hashlib
import inspect
import re
from functools import cached_property
from importlib.metadata import version
from typing import Any

import orjson
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema
from werkzeug.routing import Rule

from cartulary.service.description import examples
from cartulary.service.description.schemas.base import AnyOf, JsonObject, OneOf
from cartulary.service.description.schemas.moves import decisions_table, move
from cartulary.service.description.schemas.resources import ProblemAnswer
from cartulary.service.http.operations import ALWAYS, JSON, AnswerOf, Operation, operation_of
from cartulary.service.http.problems import KINDS, MEDIA_TYPE

Json = dict[str, Any]

TEXT = "text/plain"

_INTRODUCTION = """\
People and bots play Caylus and Carcassonne; every move is an event that stays.

A **game** waits for a **decision**: one seat is asked one kind of question. A **move** answers
it and becomes an **event**. Events are numbered from 1 without gaps; the number of the last one
is the `version` of the game, its `ETag`, and the id in the live stream.

Register with `POST /api/v1/players`, open a game, ask for its legal moves, and send one of them
back unchanged. Every refusal is `application/problem+json` with a stable `code`; after a 4xx
nothing has changed. Fields and types of events may be added: ignore what you do not know.

## What is asked, and what answers it

{decisions}
"""

_TAGS = {
    "players": "Who is playing, and their tokens.",
    "catalogue": "What can be played.",
    "games": "Opening a game, the lobby, a game as it stands.",
    "seats": "Sitting down and leaving before the start.",
    "moves": "The legal moves, and making one.",
    "events": "What has happened: pages, long-poll, live streams.",
    "states": "The table as it stood at any time.",
    "transcripts": "A game as a file, out and in.",
    "verification": "Does a game follow from its events?",
    "service": "About the service itself.",
}

_REQUEST_HEADERS: dict[str, Json] = {
    "If-None-Match": {
        "description": "The `ETag` of an earlier answer: 304 when nothing has changed.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "description": "The `ETag` that the game must have now, else 412.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "description": "The same key with the same body gets the stored answer again. "
        "Scoped to player and game.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    "Accept-Language": {
        "description": "English, Polish, Croatian, Dutch and Russian are on offer.",
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The version after which a stream goes on; empty: none. A page ignores it.",
        "schema": {"type": "string"},
    },
}

_ANSWER_HEADERS: dict[str, Json] = {
    "Location": {"description": "Where it is.", "schema": {"type": "string"}},
    "ETag": {"description": "Names this form of it.", "schema": {"type": "string"}},
    "Idempotency-Replayed": {
        "description": "`true` when this is the stored answer to an earlier request.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}

_PATH_PARAMETERS: dict[str, Json] = {
    "game_id": {"description": "Id of a game.", "schema": {"type": "string"}},
    "player_id": {"description": "Id of a player.", "schema": {"type": "string"}},
    "seat": {"schema": {"type": "integer", "minimum": 0, "maximum": 4}},
    "version": {
        "description": "Number of an event.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
    },
}

_SECURITY: dict[str, list[Json] | None] = {
    "none": None,
    "required": [{"token": []}],
    "optional": [{}, {"token": []}],
}


class Description:
    """The finished description in its forms."""

    def __init__(self, value: Json) -> None:
        self.value = value

    @cached_property
    def json(self) -> bytes:
        """The description as JSON."""
        return orjson.dumps(self.value)

    @cached_property
    def yaml(self) -> str:
        """The description as YAML: what is in `openapi.yaml`."""
        return yaml.dump(
            orjson.loads(self.json), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100
        )

    @cached_property
    def digest(self) -> str:
        """Names this very description."""
        return hashlib.sha256(self.json).hexdigest()[:16]


class _Dumper(yaml.SafeDumper):
    """Block style for texts of several lines, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def describe(app: Flask) -> Description:
    """Return the description of every view of `app` that has an operation."""
    plugin = MarshmallowPlugin(schema_name_resolver=_component_name)
    spec = _new_spec(plugin)
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint)):
        view = app.view_functions[rule.endpoint]
        found = operation_of(view)
        if found is None:
            continue
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        described = _operation(rule, found, view)
        spec.path(
            re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule),
            operations={method.lower(): described for method in methods},
        )
    value = spec.to_dict()
    _describe_components(value["components"]["schemas"], plugin)
    return Description({"openapi": value.pop("openapi"), **value})


def _describe_components(schemas: dict[str, Json], plugin: MarshmallowPlugin) -> None:
    """Take the docstring of each schema as its description."""
    assert plugin.converter is not None
    for (schema, *_), name in plugin.converter.refs.items():
        schemas[name].setdefault("description", inspect.getdoc(schema))


def _new_spec(plugin: MarshmallowPlugin) -> APISpec:
    spec = APISpec(
        title="Cartulary",
        version=version("cartulary-games"),
        openapi_version="3.1.0",
        plugins=[plugin],
        info={
            "description": _INTRODUCTION.format(decisions=decisions_table()),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        servers=[{"url": "/", "description": "This service."}],
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    assert plugin.converter is not None
    plugin.converter.add_attribute_function(_unions)  # type: ignore[no-untyped-call]
    spec.components.security_scheme(
        "token",
        {"type": "http", "scheme": "bearer", "description": "From `POST /api/v1/players`."},
    )
    for name, header in _ANSWER_HEADERS.items():
        spec.components.header(name, header)
    plugin.converter.field2property(move())
    return spec


def _component_name(schema: Any) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Answer").removesuffix("Body")


def _unions(self: Any, field: Any, ret: Json) -> Json:
    """Describe unions as components; apispec calls this as a method of its converter."""
    if isinstance(field, OneOf | AnyOf):
        reference = _union(self, field)
    elif isinstance(field, JsonObject) and field.component:
        reference = {"$ref": f"#/components/schemas/{field.component}"}
    else:
        return {}
    ret.clear()
    ret.update(_metadata(field))
    return {"oneOf": [reference, {"type": "null"}]} if field.allow_none else reference


def _metadata(field: Any) -> Json:
    return {key: value for key, value in field.metadata.items() if key == "description"}


def _union(converter: Any, field: OneOf | AnyOf) -> Json:
    name = field.union_name
    if name not in converter.spec.components.schemas:
        schemas = list(field.of.values()) if isinstance(field, OneOf) else field.of
        references = [converter.resolve_nested_schema(schema) for schema in schemas]
        union: Json = {"oneOf": references}
        if isinstance(field, OneOf):
            mapping = {
                tag: reference["$ref"] for tag, reference in zip(field.of, references, strict=True)
            }
            union["discriminator"] = {"propertyName": field.tag, "mapping": mapping}
        converter.spec.components.schema(name, union)
    return {"$ref": f"#/components/schemas/{name}"}


def _operation(rule: Rule, found: Operation, view: Any) -> Json:
    name = view.__name__
    described: Json = {
        "operationId": name,
        "tags": [found.tag],
        "summary": found.summary,
        "description": inspect.getdoc(view) or "",
        "parameters": _parameters(rule, found),
        "responses": {
            str(status): response
            for status, response in sorted({**_answers(found, name), **_refusals(found)}.items())
        },
    }
    body = found.described_body or found.body
    if body is not None:
        described["requestBody"] = {
            "required": not found.body_optional,
            "content": {JSON: _content(body, examples.REQUESTS.get(name))},
        }
    security = _SECURITY[found.token]
    described["security"] = [] if security is None else security
    return described


def _parameters(rule: Rule, found: Operation) -> list[Json]:
    in_path = [
        {"in": "path", "name": name, "required": True, **_PATH_PARAMETERS[name]}
        for name in sorted(rule.arguments, key=rule.rule.index)
    ]
    in_headers = [
        {"in": "header", "name": name, "required": False, **_REQUEST_HEADERS[name]}
        for name in found.headers
    ]
    in_query: list[Json] = []
    if found.query is not None:
        in_query = [{"in": "query", "schema": found.query}]
    return [*in_path, *in_query, *in_headers]


def _answers(found: Operation, name: str) -> dict[int, Json]:
    return {
        status: _answer(answer, examples.ANSWERS.get(name))
        for status, answer in found.answers.items()
    }


def _answer(answer: AnswerOf, example: Any) -> Json:
    described: Json = {"description": answer.text}
    if answer.headers:
        described["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in answer.headers
        }
    if answer.schema is not None:
        described["content"] = {
            media: _content(answer.schema, example) if media == JSON else _plain()
            for media in answer.media
        }
    elif answer.media != (JSON,):
        described["content"] = {media: _plain() if media == TEXT else {} for media in answer.media}
    elif answer.headers:
        described["content"] = {JSON: {"schema": {"type": "object"}}}
    return described


def _plain() -> Json:
    return {"schema": {"type": "string"}}


def _content(schema: type[Schema], given: Any) -> Json:
    content: Json = {"schema": schema}
    if given is not None:
        content["examples"] = given
    return content


def _refusals(found: Operation) -> dict[int, Json]:
    """Return a response for each status that the operation refuses with, naming the codes."""
    by_status: dict[int, list[str]] = {}
    for code in (*found.refusals, *ALWAYS):
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
    extra = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}.get(status)
    if extra:
        described["headers"] = {extra: {"$ref": f"#/components/headers/{extra}"}}
    return described
