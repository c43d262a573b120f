"""The schemas inside a schema. What an example or a property's name says is no schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

PREFIX = "#/components/schemas/"

_NAMED = ("properties", "patternProperties", "$defs")
_LISTED = ("oneOf", "anyOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "propertyNames", "contentSchema", "not")


def reference(component: str) -> Json:
    """Return a reference to a component."""
    return {"$ref": PREFIX + component}


def parts_of(schema: Json) -> Iterator[Json]:
    """Yield the schemas that stand directly in a schema."""
    for key in _NAMED:
        yield from schema.get(key, {}).values()
    for key in _LISTED:
        yield from schema.get(key, ())
    for key in _SINGLE:
        if isinstance(schema.get(key), dict):
            yield schema[key]


def walk(schema: Json) -> Iterator[Json]:
    """Yield a schema and all schemas in it, the outer before the inner ones."""
    yield schema
    for part in parts_of(schema):
        yield from walk(part)


def members_of(schema: Json) -> list[Json]:
    """Return the members of a union, null among them; none for another schema."""
    found: list[Json] = schema.get("oneOf") or schema.get("anyOf") or []
    return found
