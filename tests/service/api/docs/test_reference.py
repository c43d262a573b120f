"""The parts of `script/docs`: samples of files that run, a place for each operation."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(
        (ROOT / "openapi.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return found


@pytest.fixture(scope="module")
def parts() -> dict[str, ModuleType]:
    """The modules in `script/manual`, which are no package."""
    found = {}
    for name in ("samples", "reference"):
        spec = importlib.util.spec_from_file_location(
            name, ROOT / "script" / "manual" / f"{name}.py"
        )
        assert spec is not None
        assert spec.loader is not None
        found[name] = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[name])
    return found


def test_a_sample_ends_where_the_next_begins_and_keeps_its_shape(
    parts: dict[str, ModuleType],
) -> None:
    text = "import x\n  # [open_game]\n  if a:\n    b\n  # [make_move]\n  c\n  # [end]\n  d\n"
    assert list(parts["samples"].cut(text)) == [("open_game", "if a:\n  b"), ("make_move", "c")]


@pytest.mark.slow
def test_every_operation_and_every_schema_has_a_place(
    parts: dict[str, ModuleType], described: dict[str, Any]
) -> None:
    pages = parts["reference"].write_reference(described, {})
    text = "\n".join(pages.values())
    operations = [
        operation["operationId"]
        for item in described["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    ]
    assert [name for name in operations if f"{{ #{name} }}" not in text] == []
    assert [name for name in operations if f"#{name})" not in pages["index"]] == []
    schemas = described["components"]["schemas"]
    assert [name for name in schemas if f"{{ #{name} }}" not in pages["schemas"]] == []


@pytest.mark.slow
def test_a_sample_of_an_unknown_operation_is_refused(
    parts: dict[str, ModuleType], described: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="no_such_call"):
        parts["reference"].write_reference(described, {"no_such_call": []})


def test_a_sample_stands_in_a_tab_of_its_operation(
    parts: dict[str, ModuleType], described: dict[str, Any]
) -> None:
    sample = parts["samples"].Sample("curl", "sh", "curl -s x")
    pages = parts["reference"].write_reference(described, {"make_move": [sample]})
    place = pages["moves"].partition("{ #make_move }")[2]
    assert '=== "curl"\n\n    ```sh\n    curl -s x\n    ```' in place.partition("\n## ")[0]
