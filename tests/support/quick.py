"""Quick tests start no process: `script/test quick` runs all tests without one of these markers."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

STARTS_PROCESSES = ("process", "slow", "real", "browser")
"""The markers of tests that start processes, or use those that a fixture started."""

FIXTURES_WITH_PROCESSES = {"real_server", "valkey_url", "other_server", "nodes"}
"""Fixtures that start a server: their tests need a real server."""

_STARTS = (
    (subprocess.Popen, "__init__"),
    *((os, name) for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp")),
)
"""Through what Python starts a process, with the place where a caller finds it."""


class StartsAProcess(RuntimeError):
    """A test without a marker has started a process."""


class ProcessGuard:
    """A plugin of pytest: a quick test fails where it starts a process."""

    def __init__(self) -> None:
        self._test = ""
        # A hook of `sys.addaudithook` would be asked at each import, socket and file, too: it took
        # three hundredths of the time of all quick tests.
        for place, name in _STARTS:
            setattr(place, name, self._guard(getattr(place, name)))

    def _guard(self, start: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(start)
        def start_if_marked(*given: Any, **named: Any) -> Any:
            if self._test:
                raise StartsAProcess(
                    f"{self._test} starts a process: "
                    f"mark it as one of {', '.join(STARTS_PROCESSES)}"
                )
            return start(*given, **named)

        return start_if_marked

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Forget the test before."""
        self._test = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Watch a test that has no marker."""
        self._test = "" if is_marked(item) else item.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Forget the test."""
        self._test = ""


_MARKED = re.compile(
    rf"^pytestmark = [^=]*?pytest\.mark\.(?:{'|'.join(STARTS_PROCESSES)})\b", re.MULTILINE
)


def is_quick_run(expression: str) -> bool:
    """Return whether the option `-m` leaves out all tests with one of the markers."""
    return {f"not {name}" for name in STARTS_PROCESSES} <= set(expression.split(" and "))


def marks_all(path: Path) -> bool:
    """Return whether a module marks all of its tests: a quick run need not import it."""
    return path.suffix == ".py" and bool(_MARKED.search(path.read_text(encoding="utf-8")))


def is_marked(item: pytest.Item) -> bool:
    """Return whether a test may start processes."""
    return any(item.get_closest_marker(name) for name in STARTS_PROCESSES)


def mark_by_fixtures(items: list[pytest.Item]) -> None:
    """Mark the tests that a fixture with a server makes real."""
    for item in items:
        if FIXTURES_WITH_PROCESSES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.real)
