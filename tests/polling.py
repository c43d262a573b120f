"""Waiting for something that happens in another process, without fixed sleeps."""

from __future__ import annotations

import time
from collections.abc import Callable
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
