"""Which tests run when: the longest first, and by day one that holds each rule of the night."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.project.source_tree import list_statements
from tests.support import night
from tests.support.longest_first import LONGEST, ROOT, begin_with_the_longest
from tests.support.sharing.short_reports import LONG_S, send_if_needed


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


def runs_by_day(named: str) -> bool:
    """Return whether there is one test of this name, and it is not left to the night."""
    path, _, name = named.partition("::")
    tree = ast.parse(Path(ROOT / path).read_text(encoding="utf-8"))
    found = [
        node
        for node in list_statements(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
    ]
    written = [ast.unparse(one) for node in found for one in node.decorator_list]
    return len(found) == 1 and not any("at_night" in one for one in written)


def test_the_tests_that_hold_rules_by_day_exist_and_run_by_day() -> None:
    # To find them reads all tests: as parameters they would be read by each process of pytest.
    named = [*list_named()]
    assert len(named) > 30
    assert [row for row in named if not runs_by_day(row[1])] == []


def test_a_test_that_is_missing_or_left_to_the_night_holds_no_rule_by_day() -> None:
    here, night_only = "tests/project/test_runs.py", "tests/faults/test_tournament_faults.py"
    assert runs_by_day(f"{here}::test_every_file_that_begins_first_exists")
    assert not runs_by_day(f"{here}::test_that_is_missing")
    left = next(file for file, _ in list_named() if file == night_only)
    names = [
        node.name
        for node in list_statements(ast.parse(Path(ROOT / left).read_text()))
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]
    assert not all(runs_by_day(f"{left}::{name}") for name in names)


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


def sent(name: str, **report: Any) -> bool:
    """Return whether a process of pytest-xdist sends a message with this report."""
    messages: list[str] = []
    usual = {"outcome": "passed", "sections": [], "when": "setup", "duration": 0.01}
    send_if_needed(lambda name, **more: messages.append(name), name, data={**usual, **report})
    return messages == [name]


def test_a_process_reports_each_test_and_no_step_without_news() -> None:
    assert sent("testreport", when="call")
    assert sent("testreport", outcome="failed", when="teardown")
    assert sent("testreport", outcome="skipped")
    assert sent("testreport", sections=[("Captured stdout setup", "a warning")])
    assert sent("testreport", duration=LONG_S)
    assert sent("logfinish")
    assert not sent("testreport")
    assert not sent("testreport", when="teardown")
    assert not sent("logstart")


def test_a_process_sends_its_reports_through_this(request: pytest.FixtureRequest) -> None:
    plugins = request.config.pluginmanager.get_plugins()
    sending = [plugin for plugin in plugins if type(plugin).__name__ == "WorkerInteractor"]
    assert len(sending) == hasattr(request.config, "workerinput")
    assert all(plugin.sendevent.func is send_if_needed for plugin in sending)
