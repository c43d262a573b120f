"""The contract of a game: what it asks, what it accepts and what it says, as JSON Schema.

A game writes its `Contract` once, in `engine/<game>/contract.py`, and takes names (of places, of
buildings, …) from its own tables. Three readers follow the contract: the explanation of an
illegal move (`faults_of_move` and `phrase`), `openapi.yaml`, and the tests, which hold every view,
decision, move and fact of many games against it.

The schemas use the keywords of `engine.schema` and nothing else. A move is closed: an additional
key makes another, illegal move (`docs/moves.md`). Views, contexts and facts are open,
because keys may be added later; the tests close them with `close`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.engine.schema import DIALECT, Definitions, Fault, Schema, faults

SEAT: Final[Schema] = {"type": "integer", "minimum": 0}
"""The index of a seat; the number of seats is a matter of each game."""

COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
POSITIVE: Final[Schema] = {"type": "integer", "minimum": 1}
WHOLE: Final[Schema] = {"type": "integer"}
FLAG: Final[Schema] = {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of decision: what it asks, the types of the moves that answer it, its context."""

    text: str
    moves: tuple[str, ...]
    context: Schema


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract of one game.

    `moves` and `facts` hold a schema by type, `decisions` a question by kind; `view` is the schema
    of the view; `counts` holds, by reason of an entry of the end count, the schema of `detail`.
    `definitions` holds the schemas that `{"$ref": "#/$defs/<name>"}` stands for.
    """

    moves: Mapping[str, Schema]
    decisions: Mapping[str, Question]
    facts: Mapping[str, Schema]
    view: Schema
    counts: Mapping[str, Schema] = field(default_factory=dict)
    definitions: Definitions = field(default_factory=dict)

    def document(self, schema: Schema) -> Schema:
        """Return a schema of this contract as a document that stands on its own."""
        return {"$schema": DIALECT, **schema, "$defs": dict(self.definitions)}

    def faults_of_move(self, move: Mapping[str, Any]) -> Iterator[Fault]:
        """Yield what is wrong with the shape of a move whose `type` is one of `moves`."""
        return faults(self.moves[move["type"]], move, self.definitions)


# -- writing schemas -----------------------------------------------------------------------------


def object_of(
    text: str, required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """Return the schema of an object with these keys; other keys may be added later."""
    return {
        "type": "object",
        "description": text,
        "required": list(required),
        "properties": {**required, **(optional or {})},
    }


def moves_of(records: Mapping[str, tuple[str, Mapping[str, Schema]]]) -> dict[str, Schema]:
    """Return the schemas of moves from the text and the fields of each, by type."""
    return {
        name: close(object_of(text, {"type": _always(name), **fields}))
        for name, (text, fields) in records.items()
    }


def facts_of(records: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of facts, by type, with `type` as first field."""
    return {
        name: {
            **schema,
            "required": ["type", *schema["required"]],
            "properties": {"type": _always(name), **schema["properties"]},
        }
        for name, schema in records.items()
    }


def _always(name: str) -> Schema:
    return {"type": "string", "const": name}


def one_of(values: Any, title: str = "", text: str = "") -> Schema:
    """Return the schema of a string that is one of `values`; `title` is the noun for them."""
    annotations = {"title": title, "description": text}
    return {
        "type": "string",
        **{key: value for key, value in annotations.items() if value},
        "enum": list(values),
    }


def list_of(items: Schema, text: str = "") -> Schema:
    """Return the schema of a list."""
    return with_text({"type": "array", "items": items}, text)


def or_null(schema: Schema, text: str = "") -> Schema:
    """Return the schema of null or a value of `schema`."""
    return with_text({"anyOf": [schema, {"type": "null"}]}, text)


def with_text(schema: Schema, text: str) -> Schema:
    """Return a schema with a description for people."""
    return {**schema, "description": text} if text else schema


def close(schema: Schema) -> Schema:
    """Return a schema in which no object that lists its properties has any other key."""
    if isinstance(schema.get("properties"), dict):
        schema = {"additionalProperties": False, **schema}
    return {key: _close_part(key, value) for key, value in schema.items()}


def _close_part(keyword: str, value: Any) -> Any:
    if keyword == "properties":
        return {name: close(part) for name, part in value.items()}
    if keyword == "anyOf":
        return [close(part) for part in value]
    return close(value) if isinstance(value, dict) else value


# -- saying what is wrong ------------------------------------------------------------------------

_TYPES: Final = {
    "integer": "an integer written without a fraction",
    "string": "a string",
    "object": "an object",
    "array": "a list",
    "boolean": "true or false",
    "null": "null",
}
_MOST_NAMED: Final = 8
"""More values than these are not listed in a sentence."""


def phrase(fault: Fault, whole: str) -> str:
    """Return a fault in words; `whole` is the name of the value that was checked."""
    *path, last = fault.path or (whole,)
    if fault.keyword == "required":
        return f"{_place(path, whole)} lacks {last!r}"
    if fault.keyword == "additionalProperties":
        return f"{_place(path, whole)} has no key {quote(str(last))}"
    if "enum" in fault.schema and "title" in fault.schema:
        return f"there is no {fault.schema['title']} {quote(fault.value)}{_listing(fault.schema)}"
    return f"{_place(fault.path, whole)} must be {_wanted(fault)}, not {quote(fault.value)}"


def _place(path: Any, whole: str) -> str:
    """Return `'wood' of 'pay'` for the path `("pay", "wood")`, `whole` for the empty path."""
    return " of ".join(repr(part) for part in reversed(path)) or whole


def _listing(schema: Schema) -> str:
    few = len(schema["enum"]) <= _MOST_NAMED
    return f": there are {', '.join(schema['enum'])}" if few else ""


def _wanted(fault: Fault) -> str:
    wanted = fault.schema[fault.keyword]
    match fault.keyword:
        case "type":
            types = [wanted] if isinstance(wanted, str) else wanted
            return " or ".join(_TYPES[name] for name in types) + _example(fault.schema)
        case "enum":
            *most, last = map(quote, wanted)
            return f"{', '.join(most)} or {last}" if most else last
        case "minimum":
            return f"at least {wanted}"
        case "maximum":
            return f"at most {wanted}"
    return f"as its schema says ({fault.keyword})"


def _example(schema: Schema) -> str:
    return f" such as {quote(schema['examples'][0])}" if "examples" in schema else ""
