"""Wishes: what a player is notified of outside, short enough to be read at each new item.

They follow from the settings, the browsers, the webhooks and the e-mail address of a player, which
are the truth. Each change of one of those marks the wishes as stale in its own transaction, and
then writes them; where a process dies in between, the notifier writes them (`repair`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import orjson
from redis import Redis
from redis.client import Pipeline

from cartulary.events.lists.inbox import Type
from cartulary.events.notices.kinds import TYPES, Channel
from cartulary.events.notices.rows import StoredAddress, StoredWebhook
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.server import keys

Change = Callable[[Pipeline], Any]
"""Reads what is watched, calls `multi`, and queues the writes."""


def find_wishes(
    settings: NoticeSettings,
    has_browser: bool,
    webhooks: Iterable[StoredWebhook],
    has_address: bool = False,
) -> dict[Type, dict[Channel, int]]:
    """Return the delays in ms, by type and channel, of what a player is notified of."""
    by_webhook = {kind for webhook in webhooks if not webhook.off for kind in webhook.types}
    found: dict[Type, dict[Channel, int]] = {}
    for kind in TYPES:
        reached: list[Channel] = ["push"] if has_browser else []
        reached += ["webhook"] if kind in by_webhook else []
        reached += ["email"] if has_address else []
        for channel in reached:
            delay = settings.find_delay(kind, channel)
            if delay is not None:
                found.setdefault(kind, {})[channel] = delay * 1000
    _add_reminders(found)
    return found


def _add_reminders(found: dict[Type, dict[Channel, int]]) -> None:
    """Let an intent for a turn arise where only its reminder is wanted: the one makes the other."""
    for channel in found.get("turn_reminder", {}):
        found.setdefault("your_turn", {}).setdefault(channel, 0)


class NoticeWishes:
    """Changes the registry of notices of a player, and the wishes with it. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def change(self, player_id: str, change: Change, *watched: str) -> None:
        """Change something in one step; again from the start when something else has changed.

        `watched` are keys that `change` reads besides those of the player. Raises `RedisError`.
        """

        def change_and_mark(pipe: Pipeline) -> None:
            change(pipe)
            pipe.sadd(keys.stale_wishes(), player_id)

        self._redis.transaction(change_and_mark, *self._list_keys(player_id), *watched)
        self.write(player_id)

    def repair(self) -> None:
        """Write the wishes that a process has left stale. Raises `RedisError`."""
        stale: Any = self._redis.smembers(keys.stale_wishes())
        for player_id in stale:
            self.write(player_id.decode())

    def write(self, player_id: str) -> None:
        """Write the wishes of a player again. A later change writes them once more."""

        def write(pipe: Pipeline) -> None:
            wishes = find_wishes(*self._read(pipe, player_id))
            pipe.multi()
            pipe.srem(keys.stale_wishes(), player_id)
            if wishes:
                text: Any = orjson.dumps(wishes)
                pipe.hset(keys.notice_wishes(), player_id, text)
            else:
                pipe.hdel(keys.notice_wishes(), player_id)

        self._redis.transaction(write, *self._list_keys(player_id))

    @staticmethod
    def _list_keys(player_id: str) -> tuple[str, ...]:
        return (
            keys.notice_settings(player_id),
            keys.push_subscriptions(player_id),
            keys.webhooks(player_id),
            keys.email(player_id),
        )

    @staticmethod
    def _read(pipe: Any, player_id: str) -> tuple[NoticeSettings, bool, list[StoredWebhook], bool]:
        settings = pipe.get(keys.notice_settings(player_id))
        browsers = pipe.hlen(keys.push_subscriptions(player_id))
        webhooks = pipe.hvals(keys.webhooks(player_id))
        address = pipe.get(keys.email(player_id))
        return (
            NoticeSettings.read(orjson.loads(settings) if settings else {}),
            bool(browsers),
            [StoredWebhook.read(text) for text in webhooks],
            address is not None and StoredAddress.read(address).is_told,
        )
