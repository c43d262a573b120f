"""What a schema offers, and what of it a value makes use of: for tests of completeness.

A slot is a name for something that can occur: a key, a value of an `enum`, null or not null.
What a definition offers is named after the definition, wherever it is referred to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.engine.contract import Contract
from cartulary.engine.schema import Schema, faults, referred


def list_slots(contract: Contract, schema: Schema, where: str) -> Iterator[str]:
    """Yield the slots of a schema."""
    yield where
    if name := referred(schema):
        yield from list_slots(contract, contract.definitions[name], name)
    if isinstance(schema.get("type"), list):
        yield from (f"{where}?null", f"{where}?value")
    yield from (f"{where}={value}" for value in schema.get("enum", ()))
    for part, place in parts_of(schema, where):
        yield from list_slots(contract, part, place)


def parts_of(schema: Schema, where: str) -> Iterator[tuple[Schema, str]]:
    """Yield the schemas directly inside a schema, each with its place."""
    for part in schema.get("anyOf", ()):
        yield part, f"{where}?{'null' if part.get('type') == 'null' else 'value'}"
    for key, part in schema.get("properties", {}).items():
        yield part, f"{where}.{key}"
    if isinstance(part := schema.get("additionalProperties"), dict):
        yield from ((part, f"{where}.*"), (schema["propertyNames"], f"{where}#"))
    if "items" in schema:
        yield schema["items"], f"{where}[]"


def list_used(contract: Contract, schema: Schema, value: Any, where: str) -> Iterator[str]:
    """Yield the slots of a schema that a value, which conforms to it, makes use of."""
    yield where
    if name := referred(schema):
        yield from list_used(contract, contract.definitions[name], value, name)
    if isinstance(schema.get("type"), list):
        yield f"{where}?{'null' if value is None else 'value'}"
    if "enum" in schema:
        yield f"{where}={value}"
    for part, place in parts_of(schema, where):
        for inner in values_of(contract, part, value, place):
            yield from list_used(contract, part, inner, place)


def values_of(contract: Contract, part: Schema, value: Any, place: str) -> list[Any]:
    """Return what of a value stands at the place of a part."""
    if place.endswith(("?null", "?value")):
        return [] if next(faults(part, value, contract.definitions), None) else [value]
    if place.endswith("[]"):
        return value if isinstance(value, list) else []
    if not isinstance(value, dict):
        return []
    if place.endswith((".*", "#")):
        return list(value.values() if place.endswith(".*") else value)
    key = place.rpartition(".")[2]
    return [value[key]] if key in value else []
