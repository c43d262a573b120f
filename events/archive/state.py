"""How the archive fares: what every process may know of it without asking the archive.

The archiver notes in the store what it has done and what has failed. After a failure it waits, for
longer each time, before it tries again; the games stay in the store meanwhile.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events import keys
from cartulary.events.clock import Clock

FIRST_WAIT_MS: Final = 5_000
LONGEST_WAIT_MS: Final = 10 * 60_000
"""The wait after a failure doubles from the first up to the longest."""


class Standing(NamedTuple):
    """What the archiver has noted: times in ms since the epoch, 0 for never.

    `failures` counts the failures since the last success; `error` is the last of them, '' after a
    success. Until `again_at` nothing is tried.
    """

    archived: int = 0
    last_at: int = 0
    failures: int = 0
    failed_in_all: int = 0
    error: str = ""
    again_at: int = 0

    @property
    def works(self) -> bool:
        """Whether the last attempt has succeeded, as far as anybody knows."""
        return not self.failures


class ArchiveState:
    """What the archiver has noted in the store. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    def read(self) -> Standing:
        """Return what is noted."""
        found: Any = self._redis.hgetall(keys.archive())
        noted = {name.decode(): value.decode() for name, value in found.items()}
        error = noted.pop("error", "")
        numbers = {name: int(value) for name, value in noted.items() if name in Standing._fields}
        return Standing(**numbers, error=error)

    def note_success(self, archived: int) -> None:
        """Note that games were archived."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hincrby(keys.archive(), "archived", archived)
        pipe.hset(keys.archive(), "last_at", self._clock.now_ms())
        pipe.hdel(keys.archive(), "failures", "error", "again_at")
        pipe.execute()

    def note_failure(self, error: Exception) -> None:
        """Note that the archive has failed, and wait before the next attempt."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hincrby(keys.archive(), "failures", 1)
        pipe.hincrby(keys.archive(), "failed_in_all", 1)
        failures = int(pipe.execute()[0])
        wait = min(FIRST_WAIT_MS * 2 ** min(failures - 1, 20), LONGEST_WAIT_MS)
        again_at: Any = self._clock.now_ms() + wait
        self._redis.hset(keys.archive(), mapping={"error": str(error), "again_at": again_at})
