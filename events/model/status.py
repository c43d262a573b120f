"""The status of a game: one of the five words of the HTTP contract."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Where a game is in its life; each is a plain string in JSON."""

    OPEN = "open"
    """It waits for players."""
    RUNNING = "running"
    """A decision is pending."""
    SCORING = "scoring"
    """The play is over; a worker counts the score."""
    OVER = "over"
    """The result is set."""
    ABORTED = "aborted"
    """The game ended without a result."""

    @property
    def finished(self) -> bool:
        """True when no event can follow."""
        return self is Status.OVER or self is Status.ABORTED
