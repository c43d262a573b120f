"""Leases: who works on a game at a position, so that no other worker begins the same work.

A lease only saves work. What is written is decided by the version in the append, so a lease that
is lost too early costs a second thought and nothing else.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from threading import Event, Thread
from typing import Any

from redis import Redis
from redis.exceptions import LockError, RedisError
from redis.lock import Lock

from cartulary.events.server import keys

LEASE_S = 2.5
"""How long a lease lives without its holder, in seconds: so long the game of a killed worker waits.

A lease that lived as long as a job may run (30 s) would need no renewal, but a game whose worker
was killed would stand still for as long. So a lease is short, and a thread renews it.
"""

RENEWALS = 3
"""How often a lease is renewed in the time that it lives: two renewals may fail."""

AT_MOST_S = 60.0
"""How long a lease is renewed, in seconds: longer than any job may run.

A worker that hangs where no timeout reaches it still lets its game go after this time.
"""

CLOSE_WITHIN_S = 1.0

log = logging.getLogger(__name__)


class Lease:
    """A lease that this process holds; its renewal ends at `until` (of `time.monotonic`)."""

    def __init__(self, lock: Lock, until: float) -> None:
        self.lock = lock
        self.until = until
        self.is_over = False

    def let_expire(self) -> None:
        """Note that the position has changed: no worker asks for this lease any more.

        It is not renewed and not released but expires, which saves a round trip for each move.
        """
        self.is_over = True


class Leases:
    """The leases on one server. Thread-safe.

    `seconds` is the life of a lease without renewal; `at_most` the time after which no lease is
    renewed any more.
    """

    def __init__(self, redis: Redis, seconds: float = LEASE_S, at_most: float = AT_MOST_S) -> None:
        self._redis = redis
        self._seconds = seconds
        self._at_most = at_most
        # A plain dict whose single operations are atomic: a lock might be held for ever by a job
        # that its timeout interrupts, as that raises an exception at any line.
        self._held: dict[str, Lease] = {}
        self._closing = Event()
        self._renewer: Thread | None = None

    @contextmanager
    def hold(self, game_id: str, position: int) -> Iterator[Lease | None]:
        """Hold the lease of a game at a position within the `with` block.

        The block gets the lease, or None when another worker has it. Raises `RedisError` when the
        server does not answer.
        """
        name = keys.lease(game_id, position)
        # The renewing thread needs the token as well, so it is not kept per thread.
        lock = Lock(self._redis, name, timeout=self._seconds, thread_local=False)
        # A token of our own: the default, uuid1, takes 20 us, a tenth of the move of a fast bot.
        if not lock.acquire(blocking=False, token=token_hex(16)):
            yield None
            return
        lease = Lease(lock, time.monotonic() + self._at_most)
        try:
            self._held[name] = lease
            self._start_renewing()
            yield lease
        finally:
            self._held.pop(name, None)
            if not lease.is_over:
                _release(lock)

    def are_held(self, places: Sequence[tuple[str, int]]) -> list[bool]:
        """Return for each (game id, position) whether a worker works on it; one round trip."""
        if not places:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for game_id, position in places:
            pipe.exists(keys.lease(game_id, position))
        found: list[Any] = pipe.execute()
        return [bool(exists) for exists in found]

    def close(self) -> None:
        """End the thread that renews; leases that are still held expire."""
        self._closing.set()
        if self._renewer is not None:
            self._renewer.join(CLOSE_WITHIN_S)  # it may be waiting for a server that is away

    def _start_renewing(self) -> None:
        if self._renewer is None:
            self._renewer = Thread(target=self._renew_all, name="leases", daemon=True)
            self._renewer.start()

    def _renew_all(self) -> None:
        while not self._closing.wait(self._seconds / RENEWALS):
            for name, lease in list(self._held.items()):
                if time.monotonic() > lease.until:
                    self._held.pop(name, None)
                    log.error("%s is held for too long and no longer renewed", name)
                else:
                    self._renew(name, lease.lock)

    def _renew(self, name: str, lock: Lock) -> None:
        try:
            lock.reacquire()
        except LockError:
            # The holder has just released it, or it has expired and may be another worker's.
            if self._held.pop(name, None) is not None:
                log.warning("%s has expired while its holder works", name)
        except RedisError as error:
            log.warning("%s cannot be renewed: %s", name, error)


def _release(lock: Lock) -> None:
    """Release a lease; when that fails it expires, and the work is done in any case."""
    try:
        lock.release()
    except RedisError as error:
        log.warning("%s cannot be released: %s", lock.name, error)
