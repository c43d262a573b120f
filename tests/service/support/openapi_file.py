"""What tests read from `openapi.yaml`."""

from __future__ import annotations

from typing import Any

from jsonschema_rs import Draft202012Validator, Registry

PLACE = "urn:description"
_registries: list[tuple[dict[str, Any], Registry]] = []
"""The components of the descriptions of late, read by the validator: to read them takes 10 ms."""


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for path in described["paths"].values()
        for operation in path.values()
    }


def check(described: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Validate a value against a schema of the description, which nothing may change later."""
    Draft202012Validator(_place(schema), registry=_read(described)).validate(value)


def _read(described: dict[str, Any]) -> Registry:
    for known, registry in _registries:
        if known is described:
            return registry
    registry = Registry([(PLACE, {"components": described["components"]})])
    _registries.append((described, registry))
    del _registries[:-3]
    return registry


def _place(schema: Any) -> Any:
    """Return a schema whose references lead into the components at `PLACE`."""
    if isinstance(schema, list):
        return [_place(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: f"{PLACE}{part}" if key == "$ref" and isinstance(part, str) else _place(part)
        for key, part in schema.items()
    }


def members(described: dict[str, Any], union: str, tag: str) -> dict[str, Any]:
    """Return the members of a union by the value of its discriminator."""
    schemas = described["components"]["schemas"]
    discriminator = schemas[union]["discriminator"]
    assert discriminator["propertyName"] == tag
    mapping = discriminator["mapping"]
    assert [part["$ref"] for part in schemas[union]["oneOf"]] == list(mapping.values())
    return {value: schemas[target.rpartition("/")[2]] for value, target in mapping.items()}


def answer_schema(operation: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the answer, which is the same where there are two that succeed."""
    found = [operation["responses"].get(status) for status in ("200", "201", "202")]
    schemas = [answer["content"]["application/json"]["schema"] for answer in found if answer]
    schema: dict[str, Any] = schemas[0]
    assert all(one == schema for one in schemas)
    return schema
