"""Attendance: whether a player with a live seek has the stream of the inbox open.

A process knows the streams that it serves, and notes with each pulse those of players who have live
seeks: a live seek ends when its player has not been seen for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.server import keys


class Attendance:
    """Notes who is at the inbox. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._lock = Lock()
        self._streams: Counter[str] = Counter()

    def hold(self, player_id: str) -> Callable[[], None]:
        """Note that a player is at the inbox until the function that this returns is called."""
        with self._lock:
            self._streams[player_id] += 1

        def release() -> None:
            with self._lock:
                self._streams[player_id] -= 1
                if self._streams[player_id] <= 0:
                    del self._streams[player_id]

        return release

    def flush(self) -> None:
        """Write which of the players here have live seeks and are still there. Raises `RedisError`.

        A player who goes is seen for the last time here: the seek holds for a while after that.
        """
        with self._lock:
            here = list(self._streams)
        if not here:
            return
        known: Any = self._redis.zmscore(keys.seekers(), here)
        now = self._clock.now_ms()
        seen = {one: now for one, at in zip(here, known, strict=True) if at is not None}
        if seen:
            self._redis.zadd(keys.seekers(), seen, xx=True)
