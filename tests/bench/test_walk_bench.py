"""The walk of a move stays as short as it is."""

from __future__ import annotations

from typing import Any

import pytest

from bench.service import walk
from bench.service._served import ROOT
from bench.service._traced import CALLED, READ, RETURNED, WRITTEN
from bench.service.walk import Place, Walk, cut, find_changes, read_places
from tests.support.night import short_or_long

FILES, ENTERS, CHANGES = 38, 105, 167
"""The bounds of the shortest move: a shorter walk lowers them, nothing raises them.

A quiet machine finds 37, 103 and 165; on a busy one an answer of the store may come in two
pieces at each of the moves.
"""


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    return walk.main(moves=short_or_long(9, 15), steps=True)


@pytest.mark.slow
@pytest.mark.real
def test_a_move_goes_through_few_files(measured: dict[str, Any]) -> None:
    assert measured["least_files"] <= FILES
    assert measured["least_enters"] <= ENTERS
    assert measured["least_changes"] <= CHANGES


@pytest.mark.slow
@pytest.mark.real
def test_the_walk_reaches_from_the_request_to_the_append(measured: dict[str, Any]) -> None:
    files = list(measured["walk"])
    for part in ("events/commands/commands.py", "events/ledger/", "engine/carcassonne/state.py"):
        assert any(file.startswith(part) for file in files), part
    assert sum(measured["walk"].values()) == len(measured["steps"])


def place(file: str, how: str = CALLED, thread: int = 1) -> Place:
    return Place(how, thread, file, "function")


def test_a_call_into_another_file_and_back_are_two_changes_and_one_is_entered() -> None:
    walk = Walk.follow([place("a"), place("a"), place("b"), place("a", RETURNED)])
    assert [one.file for one in walk.changes] == ["a", "b", "a"]
    assert [one.file for one in walk.enters] == ["a", "b"]
    assert walk.files == {"a": 2, "b": 1}


def test_threads_that_take_turns_change_no_file() -> None:
    turns = [place("a", thread=1), place("b", thread=2)] * 3
    assert len(find_changes(turns)) == 2


def test_what_runs_before_the_request_and_after_the_answer_does_not_count() -> None:
    recorded: list[Place | str] = [
        place("a"),
        READ,
        place("b"),
        WRITTEN,
        place("c"),
        WRITTEN,
        place("d"),
    ]
    assert [one.file for one in cut(recorded)] == ["b", "c"]


def test_libraries_are_no_files_of_ours() -> None:
    paths = [
        ROOT / "cartulary/events/store.py",
        ROOT / ".venv/lib/redis.py",
        "/usr/lib/python3/os.py",
    ]
    found = list(read_places([f"{CALLED}\t1\t{path}\tf" for path in paths]))
    assert found == [Place(CALLED, 1, "events/store.py", "f")]
