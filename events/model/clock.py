"""The clock, the only place where the ledger reads the time for an event; times as texts.

Time is like chance: a command measures it, the event records it, and no reader measures it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import time_ns
from typing import Final, Protocol


class Clock(Protocol):
    """What tells a command the time."""

    def now_ms(self) -> int:
        """Return the time in milliseconds since the epoch."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now_ms(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return time_ns() // 1_000_000


SYSTEM: Final = SystemClock()
"""The clock that everybody uses except tests."""


def now(clock: Clock = SYSTEM) -> str:
    """Return the time of a clock as RFC 3339 in UTC, with milliseconds."""
    return format_time(clock.now_ms())


def format_time(since_epoch: int) -> str:
    """Return a time, in milliseconds since the epoch, as RFC 3339 in UTC."""
    seconds, milliseconds = divmod(since_epoch, 1000)
    return f"{_write_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(maxsize=1)
def _write_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:-6]


@lru_cache(maxsize=1024)
def milliseconds(at: str) -> int:
    """Return a time of an event (`at`, as in the HTTP contract) in ms since the epoch.

    Cached: the time of a new event is asked for by the clocks, the timers and the inboxes.
    """
    return round(datetime.fromisoformat(at).timestamp() * 1000)
