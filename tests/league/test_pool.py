"""Games in several processes end with the caller's interest in them."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from cartulary.league import pool
from cartulary.league.pool import run_each

pytestmark = [pytest.mark.process, pytest.mark.slow]


def play(task: str) -> str:
    if task == "endless":
        threading.Event().wait()
    return task


def test_a_caller_who_stops_waits_for_no_game_that_runs() -> None:
    found = run_each(play, ["short", "endless", "endless"], 2)
    assert next(found) == "short"
    found.close()
    assert multiprocessing.active_children() == []


class AtOnce:
    """A pool whose tasks are over when they are handed out; `bad` ones have failed."""

    def submit(self, run: Callable[[str], str], task: str) -> Future[str]:
        found = Future[str]()
        if task.startswith("bad"):
            found.set_exception(ValueError(task))
        else:
            found.set_result(run(task))
        return found


def test_games_that_are_over_with_a_game_that_fails_are_not_lost() -> None:
    made: Any = AtOnce()
    found, told = pool._run_in(made, play, iter(["bad 1", "a", "bad 2", "b", "c"]), 5), set[str]()  # noqa: SLF001
    with pytest.raises(ValueError, match="bad"):
        told.update(found)
    assert told == {"a", "b", "c"}
