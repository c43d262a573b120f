"""A clock that tests set by hand."""

from __future__ import annotations

from cartulary.events.model.clock import SystemClock

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
"""Milliseconds."""


class FakeClock:
    """A `Clock` that stands still; it begins at the real time, which other stores go by."""

    def __init__(self, now: int | None = None) -> None:
        self.now = SystemClock().now_ms() if now is None else now

    def now_ms(self) -> int:
        return self.now

    def advance(self, ms: int) -> None:
        self.now += ms
