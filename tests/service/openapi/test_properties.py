"""What the description says of each property and each schema, so that generators read it well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.service.openapi.finishing import add_property_texts
from cartulary.service.openapi.forms.schema_walk import walk
from cartulary.service.openapi.property_texts import TEXTS


def parts(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, schema in described["components"]["schemas"].items():
        for part in walk(schema):
            yield name, part


def test_every_property_has_a_description(described: dict[str, Any]) -> None:
    lacking = {
        f"{name}.{field}"
        for name, part in parts(described)
        for field, schema in part.get("properties", {}).items()
        if not schema.get("description")
    }
    assert lacking == set(), "describe it where it is defined, or in property_texts.py"


def test_every_text_is_used(described: dict[str, Any]) -> None:
    bare = {name: strip(schema) for name, schema in described["components"]["schemas"].items()}
    assert add_property_texts(bare) == TEXTS.keys()


def strip(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the descriptions that come from the table."""
    return {
        key: (
            {name: strip(one) for name, one in value.items()}
            if key == "properties"
            else strip(value)
            if isinstance(value, dict)
            else [strip(one) if isinstance(one, dict) else one for one in value]
            if isinstance(value, list)
            else value
        )
        for key, value in schema.items()
        if key != "description" or value not in TEXTS.values()
    }


def test_every_constant_has_a_type(described: dict[str, Any]) -> None:
    assert not [name for name, part in parts(described) if "const" in part and "type" not in part]


def test_no_schema_is_named_like_a_property_of_its_own(described: dict[str, Any]) -> None:
    """C# and Swift refuse a class with a member of its own name."""
    clashes = [
        f"{name}.{field}"
        for name, schema in described["components"]["schemas"].items()
        for field in schema.get("properties", {})
        if field.replace("_", "").lower() == name.lower()
    ]
    assert clashes == []
