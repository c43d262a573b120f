"""Shifts: since when a worker has had one job after the other, without a pause.

A person may have waited for a bot because many games wait, or because the service was away. Only
the first is a reason for the bot to think less. Many games wait only while the workers have no
pause, so what a person waited before the shift of the worker began does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cartulary.events.model.clock import Clock

PAUSE_MS: Final = 250
"""A worker that has had no job for so long has a new shift: between two jobs of many that wait a
few ms pass."""


class Shift:
    """The shift of one worker. For one thread."""

    def __init__(self) -> None:
        self._began = self._ended = 0

    @contextmanager
    def work(self, clock: Clock) -> Iterator[int]:
        """Count a job to the shift; gives when the shift began, in ms since the epoch."""
        now = clock.now_ms()
        if not 0 <= now - self._ended < PAUSE_MS:
            self._began = now
        try:
            yield self._began
        finally:
            self._ended = clock.now_ms()
