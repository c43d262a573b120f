"""The addresses in the environment, looked at before anything is started with them."""

from __future__ import annotations

import os

from redis import RedisError

from cartulary.cli.errors import Unusable
from cartulary.events.connection import connect

EVENTS_URL = "CARTULARY_EVENTS_URL"
QUEUE_URL = "CARTULARY_QUEUE_URL"


def events_url() -> str | None:
    """Return the events server that is set, None without one; raises `Unusable`."""
    return _address(EVENTS_URL)


def check_addresses() -> None:
    """Raise `Unusable` when an address that is set is none: no restart of a child mends that."""
    for name in (EVENTS_URL, QUEUE_URL):
        _address(name)


def _address(name: str) -> str | None:
    url = os.environ.get(name)
    if not url:
        return None
    try:
        # Made, not used: whether a server answers there is another question.
        connection = connect(url).connection_pool.make_connection()
        (getattr(connection, "host", None) or "").encode("idna")
    except (ValueError, TypeError, RedisError) as error:
        # Neither the address nor what is said of it is shown: it may hold a password.
        raise Unusable(
            f"{name} is not the address of a server: redis://HOST:PORT, rediss://… or "
            "unix://PATH, a password in it percent-encoded"
        ) from error
    return url
