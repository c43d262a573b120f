"""The form in OpenAPI 3.2: it says what a stream consists of."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV32SpecValidator

from cartulary.service.openapi.document import Description, Descriptions
from cartulary.service.openapi.forms.streams import LINE, NDJSON, SSE, type_streams
from tests.service.support.openapi_file import operations

NAMED = {"$ref": f"#/components/schemas/{LINE}"}


@pytest.fixture(scope="module")
def with_lines(described: dict[str, Any]) -> dict[str, Any]:
    """The description with a component for the lines of streams."""
    value = copy.deepcopy(described)
    line = {"description": "A line.", "anyOf": [{"$ref": "#/components/schemas/Event"}]}
    value["components"]["schemas"].setdefault(LINE, line)
    return value


def streams_of(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is answered, by operation, where it is server-sent events."""
    found = {}
    for name, operation in operations(described).items():
        content = operation["responses"].get("200", {}).get("content", {})
        if SSE in content:
            found[name] = content
    return found


@pytest.mark.slow
def test_it_is_valid_openapi_3_2(with_lines: dict[str, Any]) -> None:
    typed = type_streams(with_lines)
    assert typed["openapi"] == "3.2.0"
    OpenAPIV32SpecValidator(typed).validate()


@pytest.mark.slow
def test_each_item_of_a_stream_has_a_type(with_lines: dict[str, Any]) -> None:
    streams = streams_of(type_streams(with_lines))
    assert "stream_events" in streams
    for content in streams.values():
        assert content[NDJSON] == {"itemSchema": NAMED}
        item = content[SSE]["itemSchema"]["properties"]
        assert item["data"]["contentSchema"] == NAMED
        assert item["data"]["contentMediaType"] == "application/json"
        assert item.keys() == {"event", "id", "data", "retry"}


def test_a_file_of_lines_is_no_stream(with_lines: dict[str, Any]) -> None:
    exported = operations(type_streams(with_lines))["export_account"]["responses"]["200"]["content"]
    assert exported == {NDJSON: {"schema": {"type": "string"}}}


def test_it_is_made_from_the_open_form(described: dict[str, Any]) -> None:
    descriptions = Descriptions(Description(described))
    schemas = descriptions.typed_streams.value["components"]["schemas"]
    assert schemas == descriptions.open.value["components"]["schemas"]
    typed = any(
        "itemSchema" in one
        for content in streams_of(descriptions.typed_streams.value).values()
        for one in content.values()
    )
    assert typed == (LINE in schemas)
