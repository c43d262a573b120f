"""Who leaves several games at their start sits down with no other player for a while."""

from __future__ import annotations

import math
from typing import Any, Final

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import RateLimited
from cartulary.events.model.table import Table
from cartulary.events.server import keys

MOST: Final = 3
"""The number of games left within `WINDOW_MS` that closes the tables of others for `WINDOW_MS`."""

WINDOW_MS: Final = 3_600_000


class LeaverCooldown:
    """Counts games that players have left before everybody had answered once. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    def note(self, player_id: str, game_id: str) -> None:
        """Count a game that a player has left, once. Raises `RedisError`."""
        key = keys.early(player_id)
        pipe = self._redis.pipeline(transaction=True)
        pipe.zadd(key, {game_id: self._clock.now_ms()}, nx=True)
        pipe.zremrangebyrank(key, 0, -1 - MOST)
        pipe.pexpire(key, 2 * WINDOW_MS)
        pipe.execute()

    def check(self, player_id: str, table: Table) -> None:
        """Raise `RateLimited` for a player who left too often, but not at the player's own table.

        Raises `RedisError`.
        """
        if table.course.host != player_id:
            self.check_anywhere(player_id)

    def check_anywhere(self, player_id: str) -> None:
        """Raise `RateLimited` for a player who left too often, for a table that is not known yet.

        Raises `RedisError`.
        """
        found: Any = self._redis.zrange(keys.early(player_id), 0, -1, withscores=True)
        times = [int(at) for _, at in found]
        if len(times) < MOST or times[-1] - times[0] > WINDOW_MS:
            return
        left = times[-1] + WINDOW_MS - self._clock.now_ms()
        if left > 0:
            what = f"you have left {MOST} games at their start within an hour"
            raise RateLimited(what, math.ceil(left / 1000))
