"""Other processes: waiting for what happens in them, without fixed sleeps, and for their end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

SHORTEST_S, LONGEST_S = 0.02, 0.25
"""The pauses between two looks, if a test does not say: they grow, because a look at a page or at
a service takes milliseconds of all its processes, and what takes seconds needs no haste."""


def until(holds: Callable[[], T | None], within: float = 60.0, every: float | None = None) -> T:
    """Call `holds` until it returns something true, and return that; fails after `within` s.

    The limit is for what never comes: a machine that is busy with other tests may take ten times
    as long as a quiet one.
    """
    deadline = time.monotonic() + within
    pause = SHORTEST_S if every is None else every
    while not (answer := holds()):
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come true within {within} s: {holds}")
        time.sleep(pause)
        if every is None:
            pause = min(1.2 * pause, LONGEST_S)
    return answer


def gone(pid: int) -> bool:
    """True when the process has ended (a zombie has, too)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rsplit(")", 1)[1].split()[0] == "Z"
