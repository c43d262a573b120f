"""When a running game was last looked at: a game that people look at does not end."""

from __future__ import annotations

import logging
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.model.clock import Clock, format_time, milliseconds
from cartulary.events.model.time.silence_rules import DAY_MS
from cartulary.events.server import keys

KEPT_S: Final = 90 * 86_400
"""The store forgets a look after so many seconds: later than it could matter."""

log = logging.getLogger(__name__)


class Looks:
    """The day on which a person last looked at a running game. Thread-safe.

    A look is written at most once a day and process: this class remembers what it wrote today.
    """

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self._day, self._noted = 0, set[str]()

    def note(self, game_id: str) -> None:
        """Note that a person looks at a game now; a store that fails costs the note only."""
        now = self._clock.now_ms()
        if now // DAY_MS != self._day:
            self._day, self._noted = now // DAY_MS, set()
        if game_id in self._noted:
            return
        self._noted.add(game_id)
        try:
            self._write(game_id, now)
        except RedisError as error:
            log.warning("a look at game %s is not noted: %s", game_id, error)

    def read(self, game_id: str) -> int:
        """Return when a person last looked at a game, in ms since the epoch; a day may be rounded.

        When it is unknown, the answer is now, and from now on it counts. Raises `RedisError`.
        """
        found: Any = self._redis.get(keys.looked(game_id))
        if found is not None:
            return milliseconds(found.decode())
        now = self._clock.now_ms()
        self._write(game_id, now)
        return now

    def _write(self, game_id: str, now: int) -> None:
        self._redis.set(keys.looked(game_id), format_time(now), ex=KEPT_S)
