"""Marks of a request that began in the event loop, for the thread that answers it after all."""

from __future__ import annotations

from typing import Final

from cartulary.service.process.calling import AT_ONCE, Done, NotAtOnce

__all__ = ["AT_ONCE", "COUNTED", "SENT", "Done", "NotAtOnce"]

COUNTED: Final = "cartulary.counted"
"""The rate limit has counted the request: it is not counted again."""
SENT: Final = "cartulary.sent"
"""The `Prepared` whose append was sent and whose answer was lost."""
