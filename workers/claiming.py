"""How the processes of this room claim the store (`events.format`)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from redis import RedisError

from cartulary.events.errors import NewerStore
from cartulary.events.store import Store

UNUSABLE = 2
"""The exit code of a process that cannot work with this store."""

log = logging.getLogger("cartulary.workers")


@contextmanager
def exit_when_newer() -> Iterator[None]:
    """End the process with `UNUSABLE` when a newer release has written to the store."""
    try:
        yield
    except NewerStore as error:
        log.critical("%s", error)
        sys.exit(UNUSABLE)


def claim_if_reachable(store: Store) -> None:
    """Claim the store; without an answer of the server the process starts unclaimed.

    Raises `NewerStore`.
    """
    try:
        store.claim()
    except RedisError as error:
        log.warning("the format of the store is not checked: %s", error)
