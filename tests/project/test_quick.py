"""Quick tests start no process, and every test that does has a marker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.quick import StartsAProcess, is_marked, is_quick_run, marks_all

ROOT = Path(__file__).parents[2]


def test_a_test_without_a_marker_fails_where_it_starts_a_process() -> None:
    with pytest.raises(StartsAProcess, match="starts a process: mark it"):
        subprocess.run([sys.executable, "-c", "pass"], check=True)
    with pytest.raises(StartsAProcess):
        os.fork()


@pytest.mark.process
def test_a_test_with_a_marker_starts_processes() -> None:
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def test_a_test_whose_fixture_starts_a_server_is_real(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        if "real_server" in getattr(item, "fixturenames", ()):
            assert item.get_closest_marker("real"), item.nodeid


def test_a_quick_run_passes_a_module_over_only_when_all_tests_in_it_are_marked(
    request: pytest.FixtureRequest,
) -> None:
    passed_over = {path for path in ROOT.glob("tests/**/test_*.py") if marks_all(path)}
    assert len(passed_over) > 50
    found = [item for item in request.session.items if item.path in passed_over]
    assert [item.nodeid for item in found if not is_marked(item)] == []


def test_script_test_quick_asks_for_a_quick_run() -> None:
    script = (ROOT / "script" / "test").read_text(encoding="utf-8")
    (expression,) = (line.split('"')[1] for line in script.splitlines() if "set -- -m" in line)
    assert is_quick_run(expression)
    assert not is_quick_run("")
