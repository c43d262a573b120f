"""The reference of the API as pages of Markdown, made from `openapi.yaml`.

One page for each tag, one for all schemas, and a first page with all operations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from samples import Sample

METHODS = ("get", "post", "put", "patch", "delete")
SCHEMA = "#/components/schemas/"

Json = Mapping[str, Any]


class Operation(NamedTuple):
    """A method of a path, as the description has it."""

    method: str
    path: str
    body: Json

    @property
    def name(self) -> str:
        """The id, which is also the anchor on the page."""
        return str(self.body["operationId"])


def write_reference(described: Json, samples: Mapping[str, Sequence[Sample]]) -> dict[str, str]:
    """Return the pages by their names. `samples` is by ids of operations.

    Raises `ValueError` for a sample of an operation that does not exist.
    """
    operations = list(_list_operations(described))
    if unknown := set(samples) - {operation.name for operation in operations}:
        raise ValueError(f"samples of unknown operations: {', '.join(sorted(unknown))}")
    pages = {"index": _write_index(described, operations), "schemas": _write_schemas(described)}
    for tag in described["tags"]:
        own = [operation for operation in operations if operation.body["tags"][0] == tag["name"]]
        parts = [f"# {tag['name'].capitalize()}", tag["description"]]
        parts += [
            part
            for operation in own
            for part in _write_operation(described, operation, samples.get(operation.name, ()))
        ]
        pages[tag["name"]] = "\n\n".join(parts) + "\n"
    return pages


def _list_operations(described: Json) -> Iterator[Operation]:
    for path, item in described["paths"].items():
        for method in METHODS:
            if method in item:
                yield Operation(method, path, item[method])


def _write_index(described: Json, operations: Sequence[Operation]) -> str:
    info = described["info"]
    parts = [
        f"# Reference {info['version']}",
        "As a file: [openapi.yaml](/openapi.yaml), [openapi.json](/openapi.json). "
        "[Try the calls](/docs/api/try) in the browser. "
        "What holds for all calls: [rules for all calls](../http.md).",
        "\n".join(
            [
                "| call | does |",
                "|---|---|",
                *(
                    f"| [`{operation.method.upper()} {operation.path}`]"
                    f"({operation.body['tags'][0]}.md#{operation.name}) |"
                    f" {operation.body['summary']} |"
                    for operation in operations
                ),
            ]
        ),
        info["description"],
    ]
    return "\n\n".join(parts) + "\n"


def _write_operation(
    described: Json, operation: Operation, samples: Sequence[Sample]
) -> Iterator[str]:
    body = operation.body
    yield f"## {body['summary']} {{ #{operation.name} }}"
    yield f"`{operation.method.upper()} {operation.path}`"
    if body.get("deprecated"):
        yield "!!! warning\n    Deprecated."
    yield body.get("description", "")
    yield from _write_samples(samples)
    if parameters := body.get("parameters"):
        yield _write_parameters([_resolve(described, one) for one in parameters])
    if "requestBody" in body:
        content = _resolve(described, body["requestBody"])["content"]
        yield "**Body:** " + ", ".join(
            f"{_name_type(one['schema'])} (`{media}`)" for media, one in content.items()
        )
    yield _write_answers(described, body["responses"])


def _write_samples(samples: Sequence[Sample]) -> Iterator[str]:
    for sample in samples:
        lines = "\n".join(f"    {line}".rstrip() for line in sample.text.split("\n"))
        yield f'=== "{sample.language}"\n\n    ```{sample.code}\n{lines}\n    ```'


def _write_parameters(parameters: Sequence[Json]) -> str:
    rows = ["| parameter | |", "|---|---|"]
    for one in parameters:
        need = ", required" if one.get("required") else ""
        rows.append(
            f"| `{one['name']}`<br>{one['in']}{need} |"
            f" {_in_line(one.get('description', ''))} {_name_type(one['schema'])} |"
        )
    return "\n".join(rows)


def _write_answers(described: Json, responses: Json) -> str:
    rows = ["| answer | | body |", "|---|---|---|"]
    for status, reference in responses.items():
        answer = _resolve(described, reference)
        types = (_name_type(one.get("schema", {})) for one in answer.get("content", {}).values())
        kinds = " or ".join(dict.fromkeys(types)) or "–"
        rows.append(f"| {status} | {_in_line(answer['description'])} | {kinds} |")
    return "\n".join(rows)


def _write_schemas(described: Json) -> str:
    parts = ["# Schemas"]
    for name, schema in described["components"]["schemas"].items():
        parts += [f"## {name} {{ #{name} }}", schema.get("description", "")]
        if properties := schema.get("properties"):
            parts.append(_write_properties(properties, set(schema.get("required", ()))))
        else:
            parts.append(_name_type(schema))
    return "\n\n".join(parts) + "\n"


def _write_properties(properties: Json, required: set[str]) -> str:
    rows = ["| property | |", "|---|---|"]
    for name, schema in properties.items():
        need = "" if name in required else "<br>optional"
        rows.append(
            f"| `{name}`{need} | {_in_line(schema.get('description', ''))} {_name_type(schema)} |"
        )
    return "\n".join(rows)


def _resolve(described: Json, found: Json) -> Json:
    """Return what a reference points at; anything else is returned as it is."""
    while "$ref" in found:
        target: Any = described
        for part in found["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        found = target
    return found


def _name_type(schema: Json) -> str:
    """Return a type in a few words, with links to schemas that have names."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SCHEMA)
        return f"[{name}](schemas.md#{name})"
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " or ".join(dict.fromkeys(_name_type(one) for one in schema[word]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_name_type(schema.get('items', {}))}"
    kinds = schema.get("type", "any")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)


def _in_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
