"""A test of the browser waits for what a page shows: what it reads once may be older."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.source_tree import ROOT

READINGS = {
    *("all_inner_texts", "all_text_contents", "count", "get_attribute", "inner_html", "inner_text"),
    *("input_value", "is_checked", "is_disabled", "is_enabled", "is_hidden", "is_visible"),
    *("text_content", "title"),
}
"""What playwright answers at once, without waiting for another answer."""

IN_TWO_TURNS = {
    "bounding_box": "measure, or bring",
    "element_handle": "expect, or wait_for_function",
    "query_selector": "locator",
    "scroll_into_view_if_needed": "bring",
}
"""What looks an element up and asks about it in another turn of the page, and what does not."""


def find_readings(tree: ast.AST) -> Iterator[str]:
    """Yield the lines that assert what is read once from a page."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            for call in ast.walk(node.test):
                if isinstance(call, ast.Call) and is_reading(call):
                    yield f"line {node.lineno}: assert … {find_method(call)}()"


def is_reading(call: ast.Call) -> bool:
    """Whether a call reads a page; to count something in a text is another method."""
    name = find_method(call)
    return name in READINGS and not (name == "count" and call.args)


def find_method(node: ast.AST) -> str:
    """Return the name of the method that a call calls; "" for another node."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return ""


def find_two_turns(tree: ast.AST) -> Iterator[str]:
    """Yield the calls for which the support has others."""
    for node in ast.walk(tree):
        if (name := find_method(node)) in IN_TWO_TURNS:
            yield f"line {getattr(node, 'lineno', 0)}: {name}(): use {IN_TWO_TURNS[name]}"


FILES = sorted((ROOT / "tests" / "browser").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_test_of_the_browser_judges_what_it_has_read_once(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [*find_readings(tree), *find_two_turns(tree)] == []


def test_a_reading_within_an_assertion_is_found() -> None:
    tree = ast.parse(
        "assert page.locator('p').count() == 2\n"
        "assert any(t in page.locator('p').inner_text() for t in texts)\n"
        "assert words.count('a') == 1\n"
        "box = page.locator('p').bounding_box()\n"
    )
    assert list(find_readings(tree)) == [
        "line 1: assert … count()",
        "line 2: assert … inner_text()",
    ]
    assert list(find_two_turns(tree)) == ["line 4: bounding_box(): use measure, or bring"]
