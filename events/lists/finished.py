"""The games that are over and still in the store: the list from which the archiver takes them.

`project.lua` adds a game with its summary, in the same step; the score is the time of its end. What
happens to the game after its end gives it a later time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from redis import Redis

from cartulary.events.lists.inbox_items import Told
from cartulary.events.lists.indexes import ANY
from cartulary.events.server import keys

_OF_PLAYER: Final = re.compile(
    re.escape(keys.index("player:@", ANY, ANY)).replace("@", r"([^:\s]+)") + r"(?:\s|$)"
)
"""The index of all games of a player, among the indexes of a game."""


class Finished:
    """The games that are over and still in the store. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def list_before(self, before: int, limit: int) -> list[str]:
        """Return games that ended before a moment (ms since the epoch), the oldest first."""
        found: Any = self._redis.zrangebyscore(keys.finished(), "-inf", f"({before}", 0, limit)
        return [game_id.decode() for game_id in found]

    def count_before(self, before: int) -> int:
        """Return how many games ended before a moment (ms since the epoch)."""
        found: Any = self._redis.zcount(keys.finished(), "-inf", f"({before}")
        return int(found)

    def put_off(self, game_id: str, at: int) -> None:
        """Treat a game as if it had ended at a later moment (ms since the epoch)."""
        self._redis.zadd(keys.finished(), {game_id: at}, gt=True)

    def forget(self, game_id: str) -> None:
        """Take a game off the list: it is not in the store."""
        self._redis.zrem(keys.finished(), game_id)

    def is_told(self, game_id: str, version: int) -> bool:
        """Return whether the inboxes know a game up to its last version."""
        told: Any = self._redis.hget(keys.notified(), game_id)
        return told is not None and Told.parse(told).version >= version

    def note_told(self, game_id: str, version: int) -> None:
        """Note that the inboxes know all of a game that is over."""
        self._redis.hset(keys.notified(), game_id, Told(version).text())

    def read_summary(
        self, game_id: str, version: int, form: int
    ) -> tuple[bytes, Sequence[str]] | None:
        """Return the summary of a game and the players in whose lists the game is.

        None when there is no summary of this version and form.
        """
        found: Any = self._redis.hmget(keys.summary(game_id), "version", "form", "json", "indexes")
        if found[:2] != [str(version).encode(), str(form).encode()]:
            return None
        return found[2], _OF_PLAYER.findall(found[3].decode())
