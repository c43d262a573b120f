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
from cartulary.events.lists.waiting import WaitingForArchive
from cartulary.events.server import keys

_OF_PLAYER: Final = re.compile(
    re.escape(keys.index("player:@", ANY, ANY)).replace("@", r"([^:\s]+)") + r"(?:\s|$)"
)
"""The index of all games of a player, among the indexes of a game."""


class Finished(WaitingForArchive):
    """The games that are over and still in the store. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis, keys.finished())

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
