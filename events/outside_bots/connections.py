"""Which bots are connected: those that have the stream of their inbox open.

The store notes each stream when it opens and when it closes. A process that was killed closes
nothing, so a note counts only while its bot shows signs of life (`events.lists.presence`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.lists.presence import GONE_MS, Presence
from cartulary.events.model.clock import Clock
from cartulary.events.server import keys

log = logging.getLogger(__name__)


class BotConnections:
    """Notes and reads which bots are connected. Thread-safe."""

    def __init__(self, redis: Redis, presence: Presence, clock: Clock) -> None:
        self._redis, self._presence, self._clock = redis, presence, clock

    def hold(self, bot_id: str) -> Callable[[], None]:
        """Note that a bot is connected until the function that this returns is called.

        A store that fails costs the note only: the stream goes on.
        """
        member = f"{bot_id}:{token_urlsafe(6)}"
        key, now = keys.connected_bots(), self._clock.now_ms()
        self._presence.note(bot_id)
        _attempt(lambda: self._redis.zadd(key, {member: now}))
        return lambda: _attempt(lambda: self._redis.zrem(key, member))

    def is_connected(self, bot_id: str) -> bool:
        """Return whether a bot is connected. Raises `RedisError`."""
        return bot_id in self.list_connected()

    def list_connected(self) -> list[str]:
        """Return the ids of all connected bots, sorted. Raises `RedisError`."""
        found: Any = self._redis.zrange(keys.connected_bots(), 0, -1, withscores=True)
        bots: dict[str, list[bytes]] = {}
        opened: dict[str, float] = {}
        for member, at in found:  # by time, so the last stream of a bot counts
            bot = member.decode().partition(":")[0]
            bots.setdefault(bot, []).append(member)
            opened[bot] = at
        gone = [bot for bot in bots if not self._is_alive(bot, opened[bot])]
        if gone:
            self._redis.zrem(keys.connected_bots(), *(one for bot in gone for one in bots.pop(bot)))
        return sorted(bots)

    def _is_alive(self, bot_id: str, opened: float) -> bool:
        """Return whether a bot has opened a stream or shown another sign of life lately.

        The process that has the stream writes its signs of life a moment after the opening.
        """
        since = self._clock.now_ms() - GONE_MS
        return opened > since or (self._presence.last_seen(bot_id) or 0) > since


def _attempt(note: Callable[[], object]) -> None:
    try:
        note()
    except RedisError as error:
        log.warning("the connection of a bot is not noted: %s", error)
