"""Blocks: whom a player wants to have nothing to do with.

A blocked player cannot join a table that the other hosts, invite the other, write to the other,
ask the other for a seat or be matched with the other. The blocked player does not learn of it: a
refusal uses the code and the words of another case (`docs/living.md`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.people.ties import Ties
from cartulary.events.server import keys


class Blocks(Ties):
    """Who blocks whom. Thread-safe. All methods raise `RedisError`."""

    quota: ClassVar[str] = "blocks"
    most: ClassVar[int] = 1000

    def __init__(self, redis: Redis, clock: Clock = SYSTEM) -> None:
        super().__init__(redis, keys.blocks, keys.blocked_by, clock)

    def find_apart(self, player_id: str, others: Collection[str]) -> set[str]:
        """Return those of some players who block a player, or whom the player blocks."""
        asked = [one for one in others if one != player_id]
        blocked: Any = self._redis.zmscore(keys.blocks(player_id), asked) if asked else []
        mine = {other for other, since in zip(asked, blocked, strict=True) if since is not None}
        return mine | self.find_choosers(asked, player_id)
