"""Which bots are connected: they have the stream of their inbox open, or webhooks ask them.

The store notes each stream when it opens and when it closes. A process that was killed closes
nothing, so a note counts only while its bot shows signs of life (`events.lists.presence`). A bot
that webhooks ask counts for a day after its last move. The notes stand in the order of the ids of
their bots, so a page of bots costs what stands on it, however many are connected.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple, Self

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.lists.presence import GONE_MS, Presence
from cartulary.events.model.clock import Clock
from cartulary.events.server import keys

ASKED_MS: Final = 24 * 3600 * 1000
"""For so long a webhook bot is listed after its last sign of life."""

READ: Final = 100
"""Notes that are read at once."""

_WEBHOOK: Final = "webhook"
_AFTER: Final = ";"
"""The character after `:`: no note of a bot stands behind `<bot>;`, and none of another before."""

log = logging.getLogger(__name__)


class _Note(NamedTuple):
    """A note of a bot: a stream that was `opened` (ms since the epoch), None: its webhook."""

    text: str
    bot: str
    opened: int | None

    @classmethod
    def read(cls, member: bytes) -> Self:
        text = member.decode()
        bot, what, *_ = text.split(":")
        return cls(text, bot, None if what == _WEBHOOK else int(what))


class BotConnections:
    """Notes and reads which bots are connected. Thread-safe."""

    def __init__(self, redis: Redis, presence: Presence, clock: Clock) -> None:
        self._redis, self._presence, self._clock = redis, presence, clock

    def hold(self, bot_id: str) -> Callable[[], None]:
        """Note that a bot is connected until the function that this returns is called.

        A store that fails costs the note only: the stream goes on.
        """
        note = f"{bot_id}:{self._clock.now_ms()}:{token_urlsafe(6)}"
        key = keys.bot_connections()
        self._presence.note(bot_id)
        _attempt(lambda: self._redis.zadd(key, {note: 0}))
        return lambda: _attempt(lambda: self._redis.zrem(key, note))

    def note_webhook(self, bot_id: str) -> None:
        """Note that a bot has answered a webhook, or has just got one. Raises `RedisError`."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.zadd(keys.webhook_bots(), {bot_id: self._clock.now_ms()})
        pipe.zadd(keys.bot_connections(), {f"{bot_id}:{_WEBHOOK}": 0})
        pipe.execute()

    def forget_webhook(self, bot_id: str) -> None:
        """Note that no webhook asks a bot any more, or that it has failed. Raises `RedisError`."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.zrem(keys.webhook_bots(), bot_id)
        pipe.zrem(keys.bot_connections(), f"{bot_id}:{_WEBHOOK}")
        pipe.execute()

    def find_connected(self, bot_ids: Collection[str]) -> set[str]:
        """Return those of some bots that are connected. Raises `RedisError`."""
        pipe = self._redis.pipeline(transaction=False)
        for bot_id in bot_ids:
            pipe.zrangebylex(keys.bot_connections(), f"[{bot_id}:", f"({bot_id}{_AFTER}")
        found: list[list[bytes]] = pipe.execute()
        return set(self._choose_connected([_Note.read(one) for notes in found for one in notes]))

    def is_connected(self, bot_id: str) -> bool:
        """Return whether a bot is connected. Raises `RedisError`."""
        return bool(self.find_connected([bot_id]))

    def list_connected(self, most: int, after: str = "") -> list[str]:
        """Return the ids of the connected bots that follow an id, sorted, at most so many.

        Raises `RedisError`.
        """
        found: dict[str, None] = {}
        begin = f"({after}{_AFTER}" if after else "-"
        while len(found) < most:
            read: Any = self._redis.zrangebylex(keys.bot_connections(), begin, "+", 0, READ)
            notes = [_Note.read(one) for one in read]
            if not notes:
                break
            found |= dict.fromkeys(self._choose_connected(notes))
            begin = f"({notes[-1].text}"
        return list(found)[:most]

    def _choose_connected(self, notes: Sequence[_Note]) -> list[str]:
        """Return the bots of notes that hold, in order, and forget the other notes."""
        if not notes:
            return []
        now = self._clock.now_ms()
        opened = {one.bot: one.opened for one in notes if one.opened is not None}
        # The process that has a stream writes its signs of life a moment after the opening.
        streaming = {one for one, at in opened.items() if at > now - GONE_MS}
        streaming |= self._presence.find_online(opened.keys() - streaming)
        asked = self._find_asked([one.bot for one in notes if one.opened is None], now)
        holds = {one: one.bot in (asked if one.opened is None else streaming) for one in notes}
        gone = [one.text for one in notes if not holds[one]]
        if gone:
            self._redis.zrem(keys.bot_connections(), *gone)
        return list(dict.fromkeys(one.bot for one in notes if holds[one]))

    def _find_asked(self, bot_ids: Sequence[str], now: int) -> set[str]:
        """Return those of some bots that webhooks ask."""
        if not bot_ids:
            return set()
        times: Any = self._redis.zmscore(keys.webhook_bots(), list(bot_ids))
        since = now - ASKED_MS
        return {one for one, at in zip(bot_ids, times, strict=True) if (at or 0) > since}


def _attempt(note: Callable[[], object]) -> None:
    try:
        note()
    except RedisError as error:
        log.warning("the connection of a bot is not noted: %s", error)
