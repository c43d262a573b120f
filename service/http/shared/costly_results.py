"""Results that cost much CPU time: remembered, and computed by one thread of a process at a time.

A verification takes as much CPU time as a hundred moves, a hint as long as a bot thinks. So a
process computes one result of a kind at a time, a request that waits for its turn holds no thread,
and a caller may ask for a bounded number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Generic, TypeVar

from flask import request

from cartulary.events.model.cache import Cache
from cartulary.service.http.shared.rate_limits import RateLimits
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.server_marks import can_hold, has_waited
from cartulary.service.process.bounds import find_network

K = TypeVar("K")
"""What a result depends on."""

TURN = 10.0
"""Seconds for which a request waits for its turn."""


class Results(Generic[K]):
    """The results of one kind in one process, up to a number of bytes. Thread-safe."""

    def __init__(self, remembered: int) -> None:
        self._results: Cache[K, bytes] = Cache(remembered, lambda found, _: len(found))
        self._lock = Lock()
        self._busy = Lock()
        self._waiting: dict[Callable[[], None], K] = {}

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all remembered results."""
        return self._results.size

    @property
    def waiting(self) -> int:
        """Return how many requests wait for their turn in the event loop."""
        return len(self._waiting)

    def find(self, key: K) -> bytes | None:
        """Return the remembered result."""
        return self._results.get(key)

    def begin(self, wait: bool) -> bool:
        """Take the turn to compute; `make` gives it back."""
        return self._busy.acquire(blocking=wait)

    def make(self, key: K, compute: Callable[[], tuple[K | None, bytes]]) -> bytes:
        """Return the result, and remember it. The caller has the turn.

        `compute` returns the result and the key that it belongs to, None: a result that is not
        remembered. Raises what `compute` raises.
        """
        try:
            found = self._results.get(key)
            if found is None:
                made, text = compute()
                # A copy, because orjson gives a text in much more memory than its length.
                found = b"%b" % text
                if made is not None:
                    self._results.put(made, found)
            return found
        finally:
            self._busy.release()
            self._wake(key)

    def _wake(self, key: K) -> None:
        """Wake those who wait for this result, and the next of the others."""
        with self._lock:
            same = [wake for wake, wanted in self._waiting.items() if wanted == key]
            others = [wake for wake, wanted in self._waiting.items() if wanted != key]
            chosen = same + others[:1]
            for wake in chosen:
                del self._waiting[wake]
        for wake in chosen:
            wake()

    def watch(self, key: K, wake: Callable[[], None]) -> None:
        """Have `wake` called when it is worth asking again."""
        with self._lock:
            busy = self._busy.locked()
            if busy:
                self._waiting[wake] = key
        if not busy:
            wake()

    def forget(self, wake: Callable[[], None]) -> None:
        """Wake this waiter no more."""
        with self._lock:
            self._waiting.pop(wake, None)


class WaitingRequest(Generic[K]):
    """The body of a request that waits for its turn: the event loop asks the app again."""

    seconds = TURN

    def __init__(self, results: Results[K], key: K) -> None:
        self._results, self._key = results, key
        self._wake: Callable[[], None] | None = None
        self._closed = False

    def watch(self, wake: Callable[[], None]) -> None:
        """Begin to wait; a client that leaves in the meantime may have had `close` called first."""
        self._wake = wake
        self._results.watch(self._key, wake)
        if self._closed:
            self._results.forget(wake)

    def __iter__(self) -> Iterator[bytes]:
        """Yield nothing: only a server with an event loop gets such a body."""
        return iter(())

    def close(self) -> None:
        """Wait no more: a wake-up without a waiter would be missing for another request."""
        self._closed = True
        if self._wake is not None:
            self._results.forget(self._wake)


def take_turn(limits: RateLimits, results: Results[K], limit: str, who: str | None) -> bool:
    """Take the turn to compute; False for a request that waits for its turn in the event loop.

    `limit` names the rate limit. `who` is the id of the player who asks, None for a caller without
    a token: then the address stands for the caller. Raises `Problem` 429 for a caller who asks too
    often, and for a request that has waited in vain.
    """
    environ = request.environ
    if has_waited(environ):
        if results.begin(wait=False):
            return True
        detail = "other requests are computed; retry in 1 s"
        raise Problem("rate_limited", detail, headers={"Retry-After": "1"})
    count_caller(limits, limit, who)
    return results.begin(wait=not can_hold(environ))


def count_caller(limits: RateLimits, limit: str, who: str | None) -> None:
    """Count a request of a player, of an address without a token. Raises `Problem` 429."""
    environ = request.environ
    limits.hit(limit, who or find_network(environ.get("REMOTE_ADDR") or ""), environ)
