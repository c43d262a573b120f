"""What calls whom is decided when an object is made: no callback is set on an object later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.source_tree import ROOT, list_statements, sources

ROOMS = ("events", "service", "workers")

EXCEPTIONS = {
    # A database is judged as soon as its tables are checked, before anything else has it.
    "events/archive/archive.py: database.judge",
}
"""The list only shrinks."""


def find_callbacks(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the attributes that hold a function, by their annotations."""
    for node in list_statements(tree):
        if isinstance(node, ast.AnnAssign) and "Callable" in ast.unparse(node.annotation):
            if isinstance(node.target, ast.Attribute):
                yield node.target.attr
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            yield from find_callback_arguments(node)


def find_callback_arguments(init: ast.FunctionDef) -> Iterator[str]:
    """Yield the attributes to which a constructor assigns an argument that is a function."""
    arguments = [*init.args.args, *init.args.kwonlyargs]
    functions = {
        one.arg for one in arguments if one.annotation and "Callable" in ast.unparse(one.annotation)
    }
    for node in list_statements(init):
        for target, value in find_assignments(node):
            if isinstance(value, ast.Name) and value.id in functions:
                yield target.attr


def find_assignments(node: ast.AST) -> Iterator[tuple[ast.Attribute, ast.expr | None]]:
    """Yield the attributes that a statement assigns to, each with its value where it has one."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Attribute):
            yield target, node.value
        elif isinstance(target, ast.Tuple):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [None] * 99
            pairs = zip(target.elts, values, strict=False)
            yield from ((one, value) for one, value in pairs if isinstance(one, ast.Attribute))


def find_late_callbacks(tree: ast.Module, callbacks: set[str]) -> Iterator[str]:
    """Yield the assignments of a callback to an object other than `self`."""
    for node in list_statements(tree):
        for target, _ in find_assignments(node):
            of_another = ast.unparse(target.value) != "self"
            if of_another and target.attr in callbacks:
                yield ast.unparse(target)


def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_no_callback_is_set_on_an_object_after_it_was_made() -> None:
    trees = {path: read(path) for room in ROOMS for path in sources(room)}
    callbacks = {name for tree in trees.values() for name in find_callbacks(tree)}
    assert len(callbacks) > 20
    assert {
        f"{path.relative_to(ROOT)}: {found}"
        for path, tree in trees.items()
        for found in find_late_callbacks(tree, callbacks)
    } == EXCEPTIONS


@pytest.mark.parametrize(
    "line",
    [
        "store.hub.report = observe",
        "store.hub.each_look, store.hub.report = look, observe",
        "store.calendar.before_look = beat",
    ],
)
def test_a_callback_that_is_set_later_is_found(line: str) -> None:
    made = ast.parse(
        "class Hub:\n"
        "    def __init__(self, report: Callable[[], None]) -> None:\n"
        "        self.report = report\n"
        "        self.before_look: Callable[[], None] | None = None\n"
    )
    callbacks = set(find_callbacks(made))
    assert callbacks == {"report", "before_look"}
    assert list(find_late_callbacks(ast.parse(line), callbacks))
