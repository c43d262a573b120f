"""Limit the rate of requests: a number per window of time.

What protects something dear (`EXACT`) is counted on the store, by the package `limits`: exactly,
over all processes, in a window that moves. Moves, other writes to a game and previews are counted
per process, so that a move costs no round trip more; with n processes a caller may make up to n
times as many.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from threading import Lock

from limits import RateLimitItem, parse, parse_many
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.server.connection import takes_no_writes
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.rate_limit_headers import RateLimitStanding, note_standing

EXACT = (
    "players",
    "games",
    "imports",
    "reports",
    "tickets",
    "verifications",
    "hints",
    "films",
    "accounts",
    "sessions",
    "searches",
    "emails",
)
"""The limits that are counted on the store."""


class RateLimits:
    """The limits of one process. Thread-safe.

    Without a store (`redis` None) all limits are counted per process.
    """

    def __init__(self, rates: Mapping[str, str], redis: Redis | None = None) -> None:
        """Take rates as `limits` writes them; raises `ValueError` for an unreadable rate."""
        exact = {name for name, rate in rates.items() if rate and name in EXACT and redis}
        self._windows = {
            name: _Window(name, parse(rate))
            for name, rate in rates.items()
            if rate and name not in exact
        }
        self._exact: dict[str, list[_Exact]] = {}
        if redis is not None and exact:
            limiter = _make_limiter(redis)
            for name in exact:
                self._exact[name] = [
                    _Exact(limiter, name, item) for item in parse_many(rates[name])
                ]

    def hit(self, name: str, who: str, environ: Environ | None = None) -> None:
        """Count a request of `who`; raises `Problem` 429 with `Retry-After` above the limit.

        `asked` is the environment of the request, whose answer then says where the caller stands.
        Raises `redis.RedisError` when the store does not answer.
        """
        window = self._windows.get(name)
        if window is not None:
            if window.count(who, time.monotonic()) < 0:
                raise _refuse(window.stand(who, time.monotonic()), environ)
            return
        for exact in self._exact.get(name, ()):
            standing = exact.hit(who)
            if environ is not None:
                note_standing(environ, standing)
            if standing.exceeded:
                raise _refuse(standing, environ)


def _refuse(standing: RateLimitStanding, environ: Environ | None) -> Problem:
    """Return the 429 of a limit that is exceeded."""
    if environ is not None:
        note_standing(environ, standing)
    left = standing.reset or 1
    return Problem(
        "rate_limited",
        f"the limit is {standing.most} in {standing.window} s; retry in {left} s",
        headers={"Retry-After": str(left)},
    )


def _make_limiter(redis: Redis) -> MovingWindowRateLimiter:
    # The address is not used: the storage takes the connections of the store. Its keys begin with
    # `keys.LIMITS`.
    return MovingWindowRateLimiter(_Storage("redis://", connection_pool=redis.connection_pool))


class _Storage(RedisStorage):
    """The storage with the one client that it uses; `limits` would load that of Valkey as well."""

    DEPENDENCIES = {"redis": RedisStorage.DEPENDENCIES["redis"]}  # noqa: RUF012 (a base class says so)


class _Exact:
    """One limit on the store: no window of its length ever has more requests."""

    def __init__(self, limiter: MovingWindowRateLimiter, name: str, item: RateLimitItem) -> None:
        self._limiter, self._name, self._item = limiter, name, item
        self._without_store = _Window(name, item)

    def hit(self, who: str) -> RateLimitStanding:
        """Count a request; a store that takes no writes counts nothing, and the process does."""
        try:
            allowed = self._limiter.hit(self._item, self._name, who)
        except ResponseError as error:
            # A full disk must not refuse what changes nothing: a verification goes on.
            if not takes_no_writes(error):
                raise
            self._without_store.count(who, time.monotonic())
            return self._without_store.stand(who, time.monotonic())
        frees, left = self._limiter.get_window_stats(self._item, self._name, who)
        reset = max(1, math.ceil(frees - time.time()))
        most, window = self._item.amount, self._item.get_expiry()
        return RateLimitStanding(self._name, most, window, max(0, left), reset, not allowed)


class _Window:
    """A fixed window of one limit, in the memory of this process.

    The storage of `limits` would start a thread every hundredth of a second to expire its entries.
    A window drops all counts together when it ends.
    """

    def __init__(self, name: str, item: RateLimitItem) -> None:
        self._name = name
        self._most, self._length = item.amount, item.get_expiry()
        self._ends = 0.0
        self._counts: dict[str, int] = {}
        self._lock = Lock()

    def count(self, who: str, now: float) -> int:
        """Count a request; returns how many more are allowed, below 0 above the limit."""
        with self._lock:
            if now >= self._ends:
                self._ends = now + self._length
                self._counts = {}
            count = self._counts[who] = self._counts.get(who, 0) + 1
            return self._most - count

    def stand(self, who: str, now: float) -> RateLimitStanding:
        """Return where a caller stands."""
        left, reset = self._most - self._counts.get(who, 0), max(1, math.ceil(self._ends - now))
        return RateLimitStanding(
            self._name, self._most, self._length, max(0, left), reset, left < 0
        )
