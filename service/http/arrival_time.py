"""When a request came in, by the clock of the commands.

The server notes the moment by the clock of its event loop, which never jumps. What has passed since
then is taken from the time of the store, so that a test that sets the time sets this as well.
"""

from __future__ import annotations

from time import monotonic

from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.server.app_interface import RECEIVED

__all__ = ["RECEIVED", "find_received"]


def find_received(environ: Environ, services: Services) -> int | None:
    """Return when a request came in, in ms since the epoch; None where no server has noted it."""
    at: float | None = environ.get(RECEIVED)
    if at is None:
        return None
    return services.store.clock.now_ms() - max(0, round(1000 * (monotonic() - at)))
