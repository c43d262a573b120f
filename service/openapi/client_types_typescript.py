"""The types of the client for browsers and node: `clients/typescript/types/api.d.ts`.

They are open as those of the Python client are (`client_types.py`): an enum is `string`, and a
union is one interface with the members of all. Such an interface takes further members as well: an
event, a fact or a move of a later release has members that are unknown today.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from cartulary.service.openapi.client_types import ROOTS, Schema, TypeWriter

HEAD: Final = """\
// The shapes of requests and answers, generated from `openapi.yaml`; do not edit.
//
// `python -m cartulary.service.describe_types` writes this file. The words of enums are `string`,
// and a union is one shape with the members of all, because later releases add words and shapes.
"""
_WORDS: Final = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "Any": "any",
}
_WIDTH: Final = 100


def write_typescript(document: Schema) -> str:
    """Return the declarations for a description."""
    writer = _Declarations(document["components"]["schemas"])
    for root in ROOTS:
        writer.add(root)
    return "\n".join([HEAD, *(writer.written[name] for name in sorted(writer.written))])


class _Declarations(TypeWriter):
    """Writes each schema as an interface."""

    def write(self, name: str, schema: Schema) -> str:
        """Return the interface of an object."""
        properties, required = self.merge(schema)
        lines = [*_write_comment(schema, ""), f"export interface {name} {{"]
        for member, found in properties.items():
            lines += _write_comment(found[0], "  ")
            sign = "" if member in required else "?"
            lines.append(f"  {member}{sign}: {_translate(self.join(found))};")
        if "oneOf" in schema or "anyOf" in schema:
            lines.append("  [later: string]: any;")
        return "\n".join([*lines, "}"]) + "\n"


def _translate(kind: str) -> str:
    """Return a type of Python in TypeScript."""
    shaped = kind.replace("dict[str, ", "Record<string, ").replace("list[", "Array<")
    return re.sub(r"\b\w+\b", lambda word: _WORDS.get(word[0], word[0]), shaped.replace("]", ">"))


def _write_comment(schema: Schema, indent: str) -> Iterator[str]:
    text = schema.get("description", "").split("\n\n")[0]
    plain = re.sub(r"\s+", " ", text).strip().replace("*/", "* /")
    lines = textwrap.wrap(plain, _WIDTH - len(indent) - 7, break_long_words=False)
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
    elif lines:
        yield from (f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */")
