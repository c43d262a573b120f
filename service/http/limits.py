"""Limit the rate of requests: a number per window of time, counted per process."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from threading import Lock

from limits import RateLimitItem, parse

from cartulary.service.http.problems import Problem


class RateLimits:
    """The limits of one process. With n processes a caller may send up to n times as many requests.

    The limits stop runaway clients; exact limits belong into a proxy in front of the service.
    """

    def __init__(self, rates: Mapping[str, str]) -> None:
        """Take rates as `limits` writes them; raises `ValueError` for an unreadable rate."""
        self._windows = {name: _Window(parse(rate)) for name, rate in rates.items() if rate}

    def hit(self, name: str, who: str) -> None:
        """Count a request of `who`; raises `Problem` 429 with `Retry-After` above the limit."""
        window = self._windows.get(name)
        if window is None:
            return
        left = window.hit(who, time.monotonic())
        if left:
            raise Problem(
                "rate_limited",
                f"the limit is {window.item}; retry in {left} s",
                headers={"Retry-After": str(left)},
            )


class _Window:
    """A fixed window of one limit.

    The storage of `limits` would start a thread every hundredth of a second to expire its entries.
    A window drops all counts together when it ends.
    """

    def __init__(self, item: RateLimitItem) -> None:
        self.item = item
        self._most, self._length = item.amount, item.get_expiry()
        self._ends = 0.0
        self._counts: dict[str, int] = {}
        self._lock = Lock()

    def hit(self, who: str, now: float) -> int:
        """Count a request; returns 0, or the seconds to wait when the limit is reached."""
        with self._lock:
            if now >= self._ends:
                self._ends = now + self._length
                self._counts = {}
            count = self._counts[who] = self._counts.get(who, 0) + 1
            return 0 if count <= self._most else max(1, math.ceil(self._ends - now))
