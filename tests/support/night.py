"""The long form of a test, which `script/night` runs, and the short form for every commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

NIGHT = bool(os.environ.get("CARTULARY_NIGHT"))
"""Whether `script/night` runs the tests."""


def short_or_long(short: T, long: T) -> T:
    """Return `short`, and `long` where `script/night` runs the tests."""
    return long if NIGHT else short


def at_night(by_day: str) -> pytest.MarkDecorator:
    """Leave a test to `script/night`; `by_day` is the test that holds its rule on each commit.

    It is named as pytest names it, without what it is given: `tests/…/test_x.py::test_y`.
    """
    return pytest.mark.skipif(not NIGHT, reason=f"script/night runs it; by day: {by_day}")


def leave_out_stand_ins(tests: list[pytest.Item]) -> list[pytest.Item]:
    """Take away, and return, the tests on fakeredis that also run on a real server.

    `script/test quick` runs them in place of those on a server, and `script/night` runs both.
    """
    stand_ins = [] if NIGHT else [test for test in tests if _is_on_fake_store(test)]
    left_out = {id(test) for test in stand_ins}
    tests[:] = [test for test in tests if id(test) not in left_out]
    return stand_ins


def _is_on_fake_store(test: pytest.Item) -> bool:
    given = getattr(test, "callspec", None)
    return given is not None and given.params.get("store") == "fake"


def each_or_all(*lists: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return combinations with each value in them; all combinations where `script/night` runs."""
    diagonal = [
        tuple(values[at % len(values)] for values in lists) for at in range(max(map(len, lists)))
    ]
    return short_or_long(diagonal, [*product(*lists)])
