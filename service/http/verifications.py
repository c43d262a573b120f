"""Verifications: remembered, and computed by one thread of a process at a time.

A verification takes as much CPU time as a hundred moves. So a process computes one at a time, a
request that waits for its turn holds no thread, and an address may ask for a bounded number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import NamedTuple

import orjson

from cartulary.events.audit import Audit
from cartulary.events.cache import Cache
from cartulary.service.http.context import Parts
from cartulary.service.http.problems import Problem
from cartulary.service.http.streams import can_hold, has_waited
from cartulary.service.process.bounds import find_network
from cartulary.service.shortcuts import environ

LIMIT = "verifications"
"""The name of the rate limit."""
REMEMBERED = 4 * 1024 * 1024
"""Bytes of reports that a process remembers; each report has some hundred bytes."""
TURN = 10.0
"""Seconds for which a request waits for its turn."""


class Key(NamedTuple):
    """What a report depends on; `deleted` is the number of deleted accounts, whose names go."""

    game_id: str
    head: str
    rules_version: int
    deleted: int = 0


class Verifications:
    """The verifications of one process. Thread-safe."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._reports: Cache[Key, bytes] = Cache(REMEMBERED, lambda report, _: len(report))
        self._lock = Lock()
        self._busy = Lock()
        self._waiting: dict[Callable[[], None], Key] = {}

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all remembered reports."""
        return self._reports.size

    def find(self, key: Key) -> bytes | None:
        """Return the remembered report as JSON."""
        return self._reports.get(key)

    def begin(self, wait: bool) -> bool:
        """Take the turn to compute; `compute` gives it back."""
        return self._busy.acquire(blocking=wait)

    def compute(self, key: Key) -> bytes:
        """Return the report of a game, and remember it. The caller has the turn.

        Raises `NotFound`, `RedisError`.
        """
        try:
            found = self._reports.get(key)
            if found is None:
                report = self._audit.game(key.game_id)
                # A copy, because orjson gives a text in much more memory than its length.
                found = b"%b" % orjson.dumps(report.to_json())
                self._reports.put(key._replace(head=report.head), found)
            return found
        finally:
            self._busy.release()
            self._wake(key)

    def _wake(self, key: Key) -> None:
        """Wake those who wait for this report, and the next of the others."""
        with self._lock:
            same = [wake for wake, wanted in self._waiting.items() if wanted == key]
            others = [wake for wake, wanted in self._waiting.items() if wanted != key]
            chosen = same + others[:1]
            for wake in chosen:
                del self._waiting[wake]
        for wake in chosen:
            wake()

    def watch(self, key: Key, wake: Callable[[], None]) -> None:
        """Have `wake` called when it is worth asking again."""
        with self._lock:
            busy = self._busy.locked()
            if busy:
                self._waiting[wake] = key
        if not busy:
            wake()

    def forget(self, wake: Callable[[], None]) -> None:
        """Wake somebody no more."""
        with self._lock:
            self._waiting.pop(wake, None)


class Turn:
    """The body of a request that waits for its turn: the event loop asks the app again."""

    seconds = TURN

    def __init__(self, verifications: Verifications, key: Key) -> None:
        self._verifications, self._key = verifications, key
        self._wake: Callable[[], None] | None = None
        self._closed = False

    def watch(self, wake: Callable[[], None]) -> None:
        """Begin to wait; a client that leaves in the meantime may have had `close` called first."""
        self._wake = wake
        self._verifications.watch(self._key, wake)
        if self._closed:
            self._verifications.forget(wake)

    def __iter__(self) -> Iterator[bytes]:
        """Yield nothing: only a server with an event loop gets such a body."""
        return iter(())

    def close(self) -> None:
        """Wait no more: a wake-up that nobody heeds would be missing for another request."""
        self._closed = True
        if self._wake is not None:
            self._verifications.forget(self._wake)


def take_turn(here: Parts, who: str | None) -> bool:
    """Take the turn to compute; False for a request that waits for its turn in the event loop.

    `who` is the id of the player who asks, None for a caller without a token: then the address
    stands for the caller. Raises `Problem` 429 for a caller who asks too often, and for a request
    that has waited in vain.
    """
    asked = environ()
    if has_waited(asked):
        if here.verifications.begin(wait=False):
            return True
        detail = "others verify games; retry in 1 s"
        raise Problem("rate_limited", detail, headers={"Retry-After": "1"})
    here.limits.hit(LIMIT, who or find_network(asked.get("REMOTE_ADDR") or ""), asked)
    return here.verifications.begin(wait=not can_hold(asked))
