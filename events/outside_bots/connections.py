"""Which bots are connected: they have the stream of their inbox open, or webhooks ask them.

The store notes each stream when it opens and when it closes. A process that was killed closes
nothing, so a note counts only while its bot shows signs of life (`events.lists.presence`). A bot
that webhooks ask counts for a day after its last move.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.lists.presence import GONE_MS, Presence
from cartulary.events.model.clock import Clock
from cartulary.events.server import keys

ASKED_MS: Final = 24 * 3600 * 1000
"""For so long a webhook bot is listed after its last sign of life."""

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

    def note_webhook(self, bot_id: str) -> None:
        """Note that a bot has answered a webhook, or has just got one. Raises `RedisError`."""
        self._redis.zadd(keys.webhook_bots(), {bot_id: self._clock.now_ms()})

    def forget_webhook(self, bot_id: str) -> None:
        """Note that no webhook asks a bot any more, or that it has failed. Raises `RedisError`."""
        self._redis.zrem(keys.webhook_bots(), bot_id)

    def is_connected(self, bot_id: str) -> bool:
        """Return whether a bot is connected. Raises `RedisError`."""
        return bot_id in self.list_connected()

    def list_connected(self) -> list[str]:
        """Return the ids of all connected bots, sorted. Raises `RedisError`."""
        since = self._clock.now_ms() - ASKED_MS
        asked: Any = self._redis.zrangebyscore(keys.webhook_bots(), f"({since}", "+inf")
        return sorted({*self._list_streaming(), *(bot.decode() for bot in asked)})

    def _list_streaming(self) -> list[str]:
        """Return the bots that have a stream open, and forget the notes of dead processes."""
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
        return list(bots)

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
