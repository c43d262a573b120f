"""How much a player may write: five messages in ten seconds, sixty an hour at one table."""

from __future__ import annotations

import math
from typing import Any, Final

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import RateLimited
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

AT_ONCE: Final = 5
"""Messages of a player within `AT_ONCE_MS`, at all tables."""
AT_ONCE_MS: Final = 10_000
PER_HOUR: Final = 60
"""Messages of a player within an hour at one table."""


class TalkPace:
    """Counts the messages of players. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        script = read_script("chat", "pace.lua")
        self._count, self._clock = redis.register_script(script), clock

    def count(self, player_id: str, game_id: str, nonce: str) -> None:
        """Count a message; the same nonce counts once. Raises `RateLimited`, `RedisError`."""
        now = self._clock.now_ms()
        answer: Any = self._count(
            keys=[keys.talked(player_id)],
            args=[now, game_id, nonce, AT_ONCE, AT_ONCE_MS, PER_HOUR],
        )
        if answer[0]:
            wait = max(1, math.ceil(int(answer[1]) / 1000))
            allowed = f"{AT_ONCE} messages in {AT_ONCE_MS // 1000} s"
            if answer[0] == 2:
                allowed = f"{PER_HOUR} messages an hour at one table"
            raise RateLimited(f"at most {allowed}", wait)
