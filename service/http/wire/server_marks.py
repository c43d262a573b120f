"""Marks in the environment: how the server handles a request, and what it has done already."""

from __future__ import annotations

from typing import Final

from cartulary.service.http.wire.environ import Environ
from cartulary.service.server.app_interface import (
    AT_ONCE,
    LOOP,
    RECEIVED,
    WAITED,
    Claims,
    Done,
    NotAtOnce,
)

__all__ = ["AT_ONCE", "COUNTED", "RECEIVED", "SENT", "Claims", "Done", "NotAtOnce"]

COUNTED: Final = "cartulary.counted"
"""The rate limit has counted the request: it is not counted again."""
SENT: Final = "cartulary.sent"
"""The `Prepared` whose append was sent and whose answer was lost."""


def can_hold(environ: Environ) -> bool:
    """Return whether the server can hold a request without a thread until there is an event."""
    return LOOP in environ


def has_waited(environ: Environ) -> bool:
    """Return whether the server has held this request already: it is answered now."""
    return WAITED in environ
