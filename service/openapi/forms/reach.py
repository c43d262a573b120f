"""Which components of a description are sent by clients, and which are answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any, NamedTuple

from cartulary.service.openapi.forms.schema_walk import PREFIX, walk

Json = dict[str, Any]


class Reach(NamedTuple):
    """The names of the components that requests and answers lead to, directly or not."""

    asked: frozenset[str]
    answered: frozenset[str]


def find_reach(description: Json, sent_back: Set[str]) -> Reach:
    """Return which components are sent and which are answered.

    `sent_back` are components whose values come from answers: where a request names one of them,
    nothing of it counts as sent.
    """
    schemas = description["components"]["schemas"]
    asked, answered = set(), set()
    for operation in list_operations(description):
        asked |= {name for schema in asked_by(operation) for name in names_in(schema)}
        answered |= {name for schema in answered_by(operation) for name in names_in(schema)}
    for webhook in list_webhooks(description):
        # There the service sends, and a program of a player answers.
        asked |= {name for schema in answered_by(webhook) for name in names_in(schema)}
        answered |= {name for schema in asked_by(webhook) for name in names_in(schema)}
    return Reach(
        frozenset(_follow(schemas, asked - sent_back, sent_back)),
        frozenset(_follow(schemas, answered | (sent_back & schemas.keys()), frozenset())),
    )


def list_operations(description: Json) -> Iterator[Json]:
    """Yield every operation."""
    for path in description["paths"].values():
        yield from path.values()


def list_webhooks(description: Json) -> Iterator[Json]:
    """Yield what is sent to webhooks, in the form of operations."""
    for path in description.get("webhooks", {}).values():
        yield from path.values()


def asked_by(operation: Json) -> Iterator[Json]:
    """Yield the schemas of what a client sends: parameters and body."""
    for parameter in operation.get("parameters", ()):
        yield parameter["schema"]
    for media in operation.get("requestBody", {}).get("content", {}).values():
        yield media["schema"]


def answered_by(operation: Json) -> Iterator[Json]:
    """Yield the schemas of what the service answers, refusals included."""
    for response in operation["responses"].values():
        for media in response.get("content", {}).values():
            for key in ("schema", "itemSchema"):
                if key in media:
                    yield media[key]


def names_in(schema: Json) -> Iterator[str]:
    """Yield the names of the components to which a schema refers directly."""
    for part in walk(schema):
        if "$ref" in part:
            yield part["$ref"].removeprefix(PREFIX)


def _follow(schemas: Json, names: Iterable[str], stop: Set[str]) -> set[str]:
    """Return these components and all to which they lead, without `stop`."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += [one for one in names_in(schemas[name]) if one not in stop]
    return found
