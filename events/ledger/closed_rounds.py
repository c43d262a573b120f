"""The closed rounds of tournaments, as their games have to know of them.

The games of a duplicate round have the same draws, so they are sealed until the round is closed
(`Table.sealed`). Nothing is appended to them then: the stream of the tournament says when it was
closed and which secret the draws had, and what is noted here repeats it. A round that is closed
never opens again, so a process caches what it has read. A note that is lost leaves games sealed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.cache import Cache
from cartulary.events.server import keys

CAPACITY: Final = 256 * 1024
"""Bytes of closings that a process caches."""
WEIGHT: Final = 250
"""Bytes of a cached closing."""


class RoundClosing(NamedTuple):
    """When a round was closed (ms since the epoch), and the secret of its draws; None: lost."""

    at: int
    secret: str | None


class ClosedRounds:
    """The closings of duplicate rounds. Thread-safe. A round is called `<tournament>/<number>`."""

    def __init__(self, registry: Redis) -> None:
        self._redis = registry
        self._known: Cache[str, RoundClosing] = Cache(CAPACITY, lambda _one, _before: WEIGHT)

    def find(self, round_: str) -> RoundClosing | None:
        """Return how a round was closed, None while it is open. Raises `RedisError`."""
        known = self._known.get(round_)
        if known is not None:
            return known
        tournament, _, number = round_.rpartition("/")
        stored: Any = self._redis.hget(keys.closed_rounds(tournament), number)
        if stored is None:
            return None
        closing = RoundClosing(*orjson.loads(stored))
        self._known.put(round_, closing)
        return closing

    def note(self, tournament: str, number: int, closing: RoundClosing) -> None:
        """Note that a round is closed; the first note of a round counts. Raises `RedisError`."""
        self._redis.hsetnx(
            keys.closed_rounds(tournament), str(number), orjson.dumps(list(closing)).decode()
        )
