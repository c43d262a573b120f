"""Muting: a player reads no messages of another player, who does not learn of it.

Whom the operators let write nothing, `events.people.sentences` knows.
"""

from __future__ import annotations

from typing import Any, Final

from redis import Redis

from cartulary.events.model.errors import Invalid
from cartulary.events.server import keys

MOST: Final = 500
"""Players whom one player may mute."""


class Mutes:
    """Who is muted by whom. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def muted_by(self, player_id: str) -> set[str]:
        """Return the ids of the players whom a player mutes."""
        found: Any = self._redis.smembers(keys.mutes(player_id))
        return {one.decode() for one in found}

    def hidden_from(self, player_id: str) -> set[str]:
        """Return the ids of those whom a player does not read: muted by the player, or blocked."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.smembers(keys.mutes(player_id))
        pipe.zrange(keys.blocks(player_id), 0, -1)
        muted, blocked = pipe.execute()
        return {one.decode() for one in (*muted, *blocked)}

    def mute(self, player_id: str, other_id: str) -> None:
        """Hide the messages of another player for a player; raises `Invalid`."""
        if player_id == other_id:
            raise Invalid([("", "nobody mutes themselves")])
        key = keys.mutes(player_id)
        muted: Any = self.muted_by(player_id)
        if other_id not in muted and len(muted) >= MOST:
            raise Invalid([("", f"at most {MOST} players")])
        self._redis.sadd(key, other_id)

    def unmute(self, player_id: str, other_id: str) -> None:
        """Show the messages of another player again."""
        self._redis.srem(keys.mutes(player_id), other_id)
