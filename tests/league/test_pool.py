"""Games in several processes end with the caller's interest in them."""

from __future__ import annotations

import multiprocessing
import threading

import pytest

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
