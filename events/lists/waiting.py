"""What is over and still in the store: a list from which an archiver takes, the oldest first."""

from __future__ import annotations

from typing import Any

from redis import Redis


class WaitingForArchive:
    """A sorted set of ids by the time of the end. Thread-safe. All methods raise `RedisError`.

    The script that writes a summary adds what is over in the same step.
    """

    def __init__(self, redis: Redis, key: str) -> None:
        self._redis, self._waiting = redis, key

    def list_before(self, before: int, limit: int) -> list[str]:
        """Return what ended before a moment (ms since the epoch), the oldest first."""
        found: Any = self._redis.zrangebyscore(self._waiting, "-inf", f"({before}", 0, limit)
        return [one.decode() for one in found]

    def list_since(self, since: int) -> list[str]:
        """Return what ended, or was put off, at or after a moment (ms since the epoch)."""
        found: Any = self._redis.zrangebyscore(self._waiting, since, "+inf")
        return [one.decode() for one in found]

    def count_before(self, before: int) -> int:
        """Return how many ended before a moment (ms since the epoch)."""
        found: Any = self._redis.zcount(self._waiting, "-inf", f"({before}")
        return int(found)

    def put_off(self, one: str, at: int) -> None:
        """Treat one as if it had ended at a later moment (ms since the epoch)."""
        self._redis.zadd(self._waiting, {one: at}, gt=True)

    def forget(self, one: str) -> None:
        """Take one off the list: it is not in the store."""
        self._redis.zrem(self._waiting, one)
