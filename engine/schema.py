"""Check a JSON value against a schema: the part of JSON Schema (2020-12) that the contracts use.

`KEYWORDS` and `ANNOTATIONS` list what a schema may hold; any other keyword is an error, so that
no schema says something that is not checked. A value conforms here if and only if it conforms
according to JSON Schema, with one exception: `1.0` is not an integer (`docs/moves.md`: numbers
are integers written without a fraction).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import identical

Schema = dict[str, Any]
Definitions = Mapping[str, Schema]
Path = tuple[str | int, ...]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ANNOTATIONS: Final = frozenset({"title", "description", "examples"})
"""Keywords that are for people. `title` is the noun for what an `enum` lists."""

_REFERENCE: Final = "#/$defs/"


class Fault(NamedTuple):
    """A place where a value does not conform.

    `path` holds the keys and indexes that lead to the place, `keyword` the keyword of `schema`
    that does not hold, `value` what stands there. `path` of a missing or an unknown key ends with
    that key; then `value` is the object that lacks or has it.
    """

    path: Path
    keyword: str
    schema: Schema
    value: Any


def reference(name: str) -> Schema:
    """Return the schema that stands for the definition of this name."""
    return {"$ref": _REFERENCE + name}


def referred(schema: Schema) -> str | None:
    """Return the name of the definition that a schema stands for, None for any other schema."""
    target: str | None = schema.get("$ref")
    return target and target.removeprefix(_REFERENCE)


def faults(
    schema: Schema, value: Any, definitions: Definitions | None = None, path: Path = ()
) -> Iterator[Fault]:
    """Yield where `value` does not conform to `schema`: missing keys, unknown keys, wrong values.

    The order is the same on every run. Raises `KeyError` for a keyword that is not supported and
    for a definition that does not exist.
    """
    known = {} if definitions is None else definitions
    for keyword in sorted(schema.keys() - ANNOTATIONS, key=_ORDER.__getitem__):
        yield from KEYWORDS[keyword](schema, value, known, path)


def parts(schema: Schema) -> Iterator[Schema]:
    """Yield the schema and all schemas inside it; what it refers to is not inside."""
    yield schema
    inner = [schema[name] for name in _WITH_A_SCHEMA if isinstance(schema.get(name), dict)]
    for part in (*inner, *schema.get("anyOf", ()), *schema.get("properties", {}).values()):
        yield from parts(part)


_WITH_A_SCHEMA: Final = ("items", "additionalProperties", "propertyNames")
_Faults = Iterator[Fault]
_Keyword = Callable[[Schema, Any, Definitions, Path], _Faults]


def _reference(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    name = referred(schema)
    assert name is not None
    yield from faults(known[name], value, known, path)


_TYPES: Final[dict[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
}


def _is_of_type(value: Any, wanted: str | list[str]) -> bool:
    return any(_TYPES[name](value) for name in ([wanted] if isinstance(wanted, str) else wanted))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


_HOLDS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "type": _is_of_type,
    "const": identical,
    "enum": lambda value, wanted: any(identical(value, item) for item in wanted),
    "minimum": lambda value, wanted: not _is_number(value) or value >= wanted,
    "maximum": lambda value, wanted: not _is_number(value) or value <= wanted,
    "pattern": lambda value, wanted: not isinstance(value, str) or bool(re.search(wanted, value)),
}
"""By keyword about the value itself: whether it holds, from the value and what is wanted."""


def _check(keyword: str) -> _Keyword:
    """Return the function that yields a fault where a keyword of `_HOLDS` does not hold."""
    holds = _HOLDS[keyword]

    def check(schema: Schema, value: Any, _known: Definitions, path: Path) -> _Faults:
        if not holds(value, schema[keyword]):
            yield Fault(path, keyword, schema, value)

    return check


def _required(schema: Schema, value: Any, _known: Definitions, path: Path) -> _Faults:
    if isinstance(value, dict):
        for key in sorted(set(schema["required"]) - value.keys()):
            yield Fault((*path, key), "required", schema, value)


def _additional(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    """Check the keys outside `properties`: `False` forbids them, a schema says what they hold."""
    if not isinstance(value, dict):
        return
    others = schema["additionalProperties"]
    for key in sorted(value.keys() - schema.get("properties", {}).keys(), key=str):
        if others is False:
            yield Fault((*path, key), "additionalProperties", schema, value)
        else:
            yield from faults(others, value[key], known, (*path, key))


def _names(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from faults(schema["propertyNames"], key, known, (*path, key))


def _properties(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    if isinstance(value, dict):
        for key, part in sorted(schema["properties"].items()):
            if key in value:
                yield from faults(part, value[key], known, (*path, key))


def _items(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from faults(schema["items"], item, known, (*path, index))


def _any(schema: Schema, value: Any, known: Definitions, path: Path) -> _Faults:
    if all(next(faults(part, value, known, path), None) for part in schema["anyOf"]):
        yield Fault(path, "anyOf", schema, value)


KEYWORDS: Final[dict[str, _Keyword]] = {
    "$ref": _reference,
    **{keyword: _check(keyword) for keyword in _HOLDS},
    "required": _required,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "properties": _properties,
    "items": _items,
    "anyOf": _any,
}
"""By keyword, in the order of the faults: the function that yields the faults of a value."""

_ORDER: Final = {keyword: number for number, keyword in enumerate(KEYWORDS)}
