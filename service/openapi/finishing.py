"""What is said of every component, wherever it comes from: the last steps of the description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from cartulary.service.http.deprecations import DEPRECATED, mark
from cartulary.service.openapi.forms.schema_walk import members_of, walk
from cartulary.service.openapi.property_texts import TEXTS

Json = dict[str, Any]

_TYPES = {str: "string", bool: "boolean", int: "integer"}


def move_defaults_into_text(schemas: dict[str, Json]) -> None:
    """Say the default of a field in its description instead of in `default`.

    Generators make a field with a `default` required, so a client would have to send the field.
    """
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if "default" in field:
                value = orjson.dumps(field.pop("default")).decode()
                text = f"{field.get('description', '')} Default: `{value}`."
                field["description"] = text.strip()


def open_bare_objects(schemas: dict[str, Json]) -> None:
    """State that an object without listed keys may have any keys.

    JSON Schema says the same without this statement, but generators read such an object as empty.
    """
    for schema in _all(schemas):
        if schema.get("type") == "object" and "properties" not in schema:
            schema.setdefault("additionalProperties", True)


def add_types(schemas: dict[str, Json]) -> None:
    """State the type with every `const`: generators take one without a type for any value."""
    for schema in _all(schemas):
        if "const" in schema and "type" not in schema:
            schema["type"] = _TYPES[type(schema["const"])]


def allow_null(schemas: dict[str, Json], requests: Iterable[str]) -> None:
    """Say of each field of these components that may be missing that it may be null as well.

    `schemas.base.Request` reads null so. Generated clients that send every field are legion.
    """
    for name in requests:
        required = schemas[name].get("required", [])
        for field, schema in schemas[name].get("properties", {}).items():
            if field not in required:
                schemas[name]["properties"][field] = _or_null(schema)


def _or_null(schema: Json) -> Json:
    """Return a schema of null and of what `schema` allows, with the description outside."""
    kind = schema.get("type")
    if kind is None or ("enum" in schema and kind != "string"):
        if {"type": "null"} in members_of(schema):
            return schema
        said = {"description": schema["description"]} if "description" in schema else {}
        meant = {key: value for key, value in schema.items() if key != "description"}
        return {**said, "anyOf": [meant, {"type": "null"}]}
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if "null" in kinds:
        return schema
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [*kinds, "null"], **values}


def _all(schemas: dict[str, Json]) -> Iterator[Json]:
    for schema in schemas.values():
        yield from walk(schema)


def add_property_texts(schemas: dict[str, Json]) -> set[str]:
    """Describe each property that its schema does not describe; return the keys of those texts."""
    used = set()
    for name, schema in schemas.items():
        for part in walk(schema):
            properties = part.get("properties", {})
            for field, described in properties.items():
                if described.get("description"):
                    continue
                key = next((key for key in (f"{name}.{field}", field) if key in TEXTS), None)
                if key is not None:
                    properties[field] = {**described, "description": TEXTS[key]}
                    used.add(key)
    return used


def mark_deprecated(schemas: dict[str, Json]) -> None:
    """Mark the properties that are deprecated; raises `KeyError` for one that does not exist."""
    for key, notice in DEPRECATED.items():
        component, dot, field = key.partition(".")
        if dot:
            properties = schemas[component]["properties"]
            properties[field] = mark(properties[field], notice)
