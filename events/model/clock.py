"""The clock: the only place where the ledger reads the time for an event.

Time is like chance: a command measures it, the event records it, and no reader measures it.
"""

from __future__ import annotations

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
