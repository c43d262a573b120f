"""When a request came in, by the clock of the commands.

The server notes the moment by the clock of its event loop, which never jumps. What has passed since
then is taken from the time of the store, so that a test that sets the time sets this as well.
"""

from __future__ import annotations

from time import monotonic

from cartulary.service.http.context import Parts
from cartulary.service.process.calling import RECEIVED
from cartulary.service.shortcuts import Environ

__all__ = ["RECEIVED", "find_received"]


def find_received(asked: Environ, here: Parts) -> int | None:
    """Return when a request came in, in ms since the epoch; None where no server has noted it."""
    at: float | None = asked.get(RECEIVED)
    if at is None:
        return None
    return here.store.clock.now_ms() - max(0, round(1000 * (monotonic() - at)))
