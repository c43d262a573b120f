"""The longest tests begin first, so that no process is alone with one of them at the end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

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
