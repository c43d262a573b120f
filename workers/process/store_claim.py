"""How the processes of this room claim the store (`events.server.format`)."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from redis import Redis, RedisError

from cartulary.events.server.connection import check
from cartulary.events.server.format import UnusableStore
from cartulary.events.store import Store

UNUSABLE = 2
"""The exit code of a process that cannot work with this store."""

PAUSE_S = 0.5
"""Pause before a server that does not answer is asked again."""

log = logging.getLogger("cartulary.workers")


@contextmanager
def exit_when_unusable() -> Iterator[None]:
    """End the process with `UNUSABLE` when this release may not work on the store."""
    try:
        yield
    except UnusableStore as error:
        log.critical("%s", error)
        sys.exit(UNUSABLE)


def claim_when_reachable(
    store: Store, queue: Redis, beat: Callable[[], None], is_stopping: Callable[[], bool]
) -> bool:
    """Wait until the store and the server of the queue answer, and claim the store.

    A server that loads much data refuses everything for minutes: a process that ended in the
    meantime would be restarted again and again. `beat` shows that the process works. Returns False
    when the process is to stop. Raises `UnusableStore`.
    """
    reported = ""
    while not is_stopping():
        beat()
        try:
            check(queue)
            store.ping()
        except RedisError as error:
            if str(error) != reported:
                reported = str(error)
                log.warning("waiting for the server: %s", error)
            time.sleep(PAUSE_S)
        else:
            return True
    return False
