"""Which tests run when: the longest first, and by day one that holds each rule of the night."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support import night
from tests.support.longest_first import LONGEST, ROOT, begin_with_the_longest


def at(*names: str) -> list[Any]:
    return [SimpleNamespace(path=ROOT / name) for name in names]


def test_the_tests_of_the_longest_files_begin_first_and_the_others_keep_their_order() -> None:
    tests = at("tests/test_b.py", LONGEST[1], "tests/test_a.py", LONGEST[0], LONGEST[1])
    ordered = begin_with_the_longest(cast("list[pytest.Item]", tests))
    assert ordered == [tests[3], tests[1], tests[4], tests[0], tests[2]]


@pytest.mark.parametrize("name", LONGEST)
def test_every_file_that_begins_first_exists(name: str) -> None:
    assert Path(ROOT / name).is_file()


def list_named() -> Iterator[tuple[str, str]]:
    """Yield each test that `at_night` names, with the file that names it."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "at_night(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "at_night":
                yield str(path.relative_to(ROOT)), ast.literal_eval(node.args[0])


@pytest.mark.parametrize(("file", "by_day"), [*list_named()])
def test_the_test_that_holds_a_rule_by_day_exists_and_runs_by_day(file: str, by_day: str) -> None:
    path, _, name = by_day.partition("::")
    tree = ast.parse(Path(ROOT / path).read_text(encoding="utf-8"))
    (found,) = (
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name
    )
    assert not any("at_night" in ast.unparse(one) for one in found.decorator_list), file


def given(store: str | None) -> Any:
    return SimpleNamespace(callspec=SimpleNamespace(params={"store": store} if store else {}))


def test_by_day_a_test_that_runs_on_a_real_server_is_not_repeated_on_the_stand_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tests = [given("fake"), given("real"), given(None), SimpleNamespace()]
    by_day = cast("list[pytest.Item]", [*tests])
    monkeypatch.setattr(night, "NIGHT", False)
    assert night.leave_out_stand_ins(by_day) == tests[:1]
    assert by_day == tests[1:]
    by_night = cast("list[pytest.Item]", [*tests])
    monkeypatch.setattr(night, "NIGHT", True)
    assert night.leave_out_stand_ins(by_night) == []
    assert by_night == tests
