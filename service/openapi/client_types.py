"""The types of the Python client, made from the description: `cartulary.client.core.api_types`.

A client must read the answers of later releases. So the types are open: every enum is `str`, and a
union (events, facts, moves, decisions) is one `TypedDict` with the members of all: what every
member of the union has is required, everything else is `NotRequired`.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

ROOTS: Final = (
    *("Event", "EventsPage", "Game", "GameRequest", "GamesPage", "InboxPage", "Item", "MoveList"),
    *("MoveWritten", "NewPlayer", "OwnPlayer", "PasskeyOptions", "Player", "Problem"),
    *("RecoveryCodes", "Session", "State", "Story", "Written"),
)
"""The schemas that the client sends and reads; the others follow from them."""

HEAD: Final = '''"""The shapes of requests and answers, generated from `openapi.yaml`; do not edit.

`python -m cartulary.service.describe_types` writes this file. The words of enums are `str`, and a
union is one shape with the members of all, because later releases add words and shapes.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict
'''
_PLAIN: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_REFERENCE: Final = "#/components/schemas/"
_WIDTH: Final = 96


def write_types(document: Schema) -> str:
    """Return the module of types for a description."""
    schemas: Mapping[str, Schema] = document["components"]["schemas"]
    writer = TypeWriter(schemas)
    for root in ROOTS:
        writer.add(root)
    return "\n\n".join([HEAD, *(writer.written[name] for name in sorted(writer.written))])


class TypeWriter:
    """Writes each schema once, under the name that it has in the description."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self.written: dict[str, str] = {}

    def add(self, name: str) -> str:
        """Return the type of a schema, and write it when it is an object."""
        schema = self._schemas[name]
        if not _is_object(self._schemas, schema):
            return self.name(schema)
        if name not in self.written:
            self.written[name] = ""  # a schema may refer to itself
            self.written[name] = self.write(name, schema)
        return name

    def name(self, schema: Schema) -> str:
        """Return the type of a value."""
        if "$ref" in schema:
            return self.add(schema["$ref"].removeprefix(_REFERENCE))
        if "enum" in schema or "const" in schema:
            return _join(sorted({_word(value) for value in schema.get("enum", [""])}))
        members = schema.get("oneOf") or schema.get("anyOf")
        if members:
            return self._join_members(members)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return _join([self.name({**schema, "type": kind}) for kind in kinds])
        if kinds == "array":
            return f"list[{self.name(schema.get('items', {}))}]"
        if kinds == "object" or "properties" in schema:
            return self._name_mapping(schema)
        return _PLAIN.get(str(kinds), "Any")

    def _join_members(self, members: list[Schema]) -> str:
        """Return the type of a union that has no name of its own."""
        named = [member for member in members if member.get("type") != "null"]
        if len(named) > 1 and any(_is_object(self._schemas, member) for member in named):
            found = "dict[str, Any]"
        else:
            found = _join([self.name(member) for member in named])
        return found if len(named) == len(members) else f"{found} | None"

    def _name_mapping(self, schema: Schema) -> str:
        values = schema.get("additionalProperties")
        if schema.get("properties") or not isinstance(values, Mapping):
            return "dict[str, Any]"
        return f"dict[str, {self.name(values)}]"

    def merge(self, schema: Schema) -> tuple[dict[str, list[Schema]], set[str]]:
        """Return what each member of an object may be, and which members it always has."""
        return _merge(self._schemas, schema)

    def join(self, found: list[Schema]) -> str:
        """Return the type of a member that is one of these."""
        return _join([self.name(one) for one in found])

    def write(self, name: str, schema: Schema) -> str:
        """Return the class of an object."""
        properties, required = self.merge(schema)
        lines: list[str] = []
        reserved: list[str] = []
        for member, found in properties.items():
            kind = self.join(found)
            kind = kind if member in required else f"NotRequired[{kind}]"
            if keyword.iskeyword(member):
                reserved.append(f'"{member}": {kind}')
            else:
                lines += _write_member(member, kind, found[0])
        if not reserved:
            head = f"class {name}(TypedDict):"
            return "\n".join([head, *_write_docstring(schema), *lines]) + "\n"
        # A class cannot have a member that is called like a keyword of Python.
        base = f'_{name} = TypedDict("_{name}", {{{", ".join(reserved)}}})'
        head = f"\n\nclass {name}(_{name}):"
        return "\n".join([base, head, *_write_docstring(schema), *lines]) + "\n"


def _write_docstring(schema: Schema) -> Iterator[str]:
    text = schema.get("description", "").split("\n\n")[0].strip() or "A part of an answer."
    yield from _quote(text)
    yield ""


def _write_member(member: str, kind: str, schema: Schema) -> Iterator[str]:
    line = f"    {member}: {kind}"
    if len(line) <= 100:
        yield line
    else:
        opening, _, inner = kind.partition("[")
        yield f"    {member}: {opening}["
        yield f"        {inner.removesuffix(']')}"
        yield "    ]"
    if text := schema.get("description"):
        yield from _quote(text)


def _quote(text: str) -> list[str]:
    """Return a text as a docstring of lines that are not too long."""
    plain = re.sub(r"\s+", " ", text).replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(plain, _WIDTH - 3, break_long_words=False)
    if len(lines) == 1 and len(lines[0]) <= _WIDTH - 7:
        return [f'    """{lines[0]}"""']
    return [f'    """{lines[0]}', *(f"    {line}" for line in lines[1:]), '    """']


def _is_object(schemas: Mapping[str, Schema], schema: Schema) -> bool:
    """Return whether a schema becomes a class: it has members, alone or as a union."""
    if "$ref" in schema:
        return _is_object(schemas, schemas[schema["$ref"].removeprefix(_REFERENCE)])
    members = schema.get("oneOf") or schema.get("anyOf")
    if members:
        return all(_is_object(schemas, member) for member in members)
    return bool(schema.get("properties"))


def _merge(
    schemas: Mapping[str, Schema], schema: Schema
) -> tuple[dict[str, list[Schema]], set[str]]:
    """Return what each member of a schema, or of a union of schemas, may be, and what is there."""
    if "$ref" in schema:
        return _merge(schemas, schemas[schema["$ref"].removeprefix(_REFERENCE)])
    members = schema.get("oneOf") or schema.get("anyOf")
    if not members:
        own = {name: [value] for name, value in schema["properties"].items()}
        return own, set(schema.get("required", ()))
    merged: dict[str, list[Schema]] = {}
    needed: set[str] | None = None
    for member in members:
        own, required = _merge(schemas, member)
        needed = required if needed is None else needed & required
        for name, values in own.items():
            merged.setdefault(name, []).extend(values)
    return merged, needed or set()


def _word(value: Any) -> str:
    """Return the type of a word of an enum: later releases have other words of this type."""
    kinds = {bool: "bool", int: "int", float: "float", type(None): "None"}
    return kinds.get(type(value), "str")


def _join(kinds: list[str]) -> str:
    """Return a union of types, each of them once, `None` at the end."""
    parts = {part: None for kind in kinds for part in _split(kind)}
    if "Any" in parts:
        return "Any"
    found = sorted(part for part in parts if part != "None")
    return " | ".join([*found, *(["None"] if "None" in parts else [])])


def _split(kind: str) -> list[str]:
    """Return the parts of a union; a union inside brackets stays in its part."""
    parts, depth, begun = [], 0, ""
    for word in kind.split(" | "):
        begun = f"{begun} | {word}" if depth else word
        depth += word.count("[") - word.count("]")
        if not depth:
            parts.append(begun)
    return parts
