"""The clock of the commands: the one place from which an event gets its time."""

from __future__ import annotations

from time import time_ns
from typing import Protocol


class Clock(Protocol):
    """What tells the commands the time; tests have a clock that they set by hand."""

    def now_ms(self) -> int:
        """Return the time in ms since the epoch."""


class SystemClock:
    """The clock of the machine."""

    def now_ms(self) -> int:
        """Return the time in ms since the epoch."""
        return time_ns() // 1_000_000
