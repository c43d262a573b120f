"""What tests read from `openapi.yaml`."""

from __future__ import annotations

from typing import Any

from jsonschema_rs import Draft202012Validator


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for path in described["paths"].values()
        for operation in path.values()
    }


def check(described: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Validate a value against a schema of the description."""
    Draft202012Validator({**schema, "components": described["components"]}).validate(value)


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
