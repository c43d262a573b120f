"""From which day on the silence of a game counts in this installation."""

from __future__ import annotations

from typing import Any

from redis import Redis

from cartulary.events.model.clock import Clock, format_time, milliseconds
from cartulary.events.server import keys


class RulesSince:
    """The moment at which the rules about ages came into force here. Thread-safe.

    The first process that asks writes the moment; it never changes afterwards.
    """

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._since: int | None = None

    def read(self) -> int:
        """Return the moment in ms since the epoch. Raises `RedisError` at the first call only."""
        if self._since is None:
            self._since = milliseconds(self._find())
        return self._since

    def look(self) -> int | None:
        """Return the moment in ms since the epoch, None before it is written; changes nothing.

        Raises `RedisError`.
        """
        found = self._ask()
        return None if found is None else milliseconds(found.decode())

    def _find(self) -> str:
        found = self._ask()
        if found is None:
            self._redis.hsetnx(keys.rules_since(), "ages", format_time(self._clock.now_ms()))
            found = self._ask()
        assert found is not None
        return found.decode()

    def _ask(self) -> bytes | None:
        found: Any = self._redis.hget(keys.rules_since(), "ages")
        return None if found is None else bytes(found)
