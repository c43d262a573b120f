"""Other processes: waiting for what happens in them, without fixed sleeps, and for their end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def until(holds: Callable[[], T], within: float = 15.0, every: float = 0.02) -> T:
    """Call `holds` until it returns something true, and return that; fails after `within` s."""
    deadline = time.monotonic() + within
    while not (answer := holds()):
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come true within {within} s: {holds}")
        time.sleep(every)
    return answer


def gone(pid: int) -> bool:
    """True when the process has ended (a zombie has, too)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rsplit(")", 1)[1].split()[0] == "Z"
