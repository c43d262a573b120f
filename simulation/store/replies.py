"""What callers of a server get."""

from __future__ import annotations

from simulation.store.values.replies import (
    BLOCKED,
    OK,
    QUEUED,
    Blocked,
    Down,
    ErrorReply,
    Simple,
    StoreReply,
    Unmodelled,
    Words,
)

__all__ = [
    "BLOCKED",
    "OK",
    "QUEUED",
    "Blocked",
    "Down",
    "ErrorReply",
    "Simple",
    "StoreReply",
    "Unmodelled",
    "Words",
]
