"""Blocks: whom a player wants to have nothing to do with.

A blocked player cannot join a table that the other hosts, invite the other, write to the other or
ask the other for a seat. The blocked player does not learn of it: a refusal uses the code and the
words of another case (`docs/living.md`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.model.errors import QuotaExceeded
from cartulary.events.model.types import format_time
from cartulary.events.server import keys

MOST: Final = 1000
"""So many players may be blocked by one player."""


class Block(NamedTuple):
    """A blocked player, and since when (RFC 3339)."""

    player_id: str
    since: str


class Blocks:
    """Who blocks whom, a part of the registry. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock = SYSTEM) -> None:
        self._redis, self._clock = redis, clock

    def add(self, player_id: str, other_id: str) -> None:
        """Let a player block another player; nothing changes when it is so already.

        Raises `QuotaExceeded`.
        """
        used: Any = self._redis.zcard(keys.blocks(player_id))
        if used >= MOST and not self.blocks(player_id, other_id):
            raise QuotaExceeded("blocks", MOST, int(used), 0, None)
        pipe = self._redis.pipeline(transaction=True)
        pipe.zadd(keys.blocks(player_id), {other_id: self._clock.now_ms()}, nx=True)
        pipe.sadd(keys.blocked_by(other_id), player_id)
        pipe.execute()

    def remove(self, player_id: str, other_id: str) -> None:
        """Let a player block another player no longer."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.zrem(keys.blocks(player_id), other_id)
        pipe.srem(keys.blocked_by(other_id), player_id)
        pipe.execute()

    def blocks(self, player_id: str, other_id: str) -> bool:
        """Return whether a player blocks another player."""
        return bool(self.find_blockers([player_id], other_id))

    def find_blockers(self, player_ids: Collection[str], other_id: str) -> set[str]:
        """Return those of some players who block another player, in one round trip."""
        asked = [one for one in player_ids if one != other_id]
        if not asked:
            return set()
        said: Any = self._redis.smismember(keys.blocked_by(other_id), asked)
        return {player_id for player_id, yes in zip(asked, said, strict=True) if yes}

    def find_apart(self, player_id: str, others: Collection[str]) -> set[str]:
        """Return those of some players who block a player, or whom the player blocks."""
        asked = [one for one in others if one != player_id]
        blocked: Any = self._redis.zmscore(keys.blocks(player_id), asked) if asked else []
        mine = {other for other, since in zip(asked, blocked, strict=True) if since is not None}
        return mine | self.find_blockers(asked, player_id)

    def find_blocked(self, player_id: str) -> set[str]:
        """Return the ids of all whom a player blocks, in one round trip."""
        found: Any = self._redis.zrange(keys.blocks(player_id), 0, -1)
        return {one.decode() for one in found}

    def list_of(self, player_id: str) -> list[Block]:
        """Return whom a player blocks, the longest blocked first."""
        found: Any = self._redis.zrange(keys.blocks(player_id), 0, -1, withscores=True)
        return [Block(one.decode(), format_time(int(since))) for one, since in found]

    def move(self, guest_id: str, player_id: str) -> None:
        """Let an account block whom its guest blocks, and be blocked by who blocks the guest."""
        blocked = self.find_blocked(guest_id) - {player_id}
        blockers: Any = self._redis.smembers(keys.blocked_by(guest_id))
        now = self._clock.now_ms()
        pipe = self._redis.pipeline(transaction=True)
        for other in blocked:
            pipe.zadd(keys.blocks(player_id), {other: now}, nx=True)
            pipe.sadd(keys.blocked_by(other), player_id)
        for other in {one.decode() for one in blockers} - {player_id}:
            pipe.zadd(keys.blocks(other), {player_id: now}, nx=True)
            pipe.sadd(keys.blocked_by(player_id), other)
        pipe.execute()
        self.erase(guest_id)

    def erase(self, player_id: str) -> None:
        """Forget whom a player blocks, and who blocks the player."""
        blocked = self.find_blocked(player_id)
        blockers: Any = self._redis.smembers(keys.blocked_by(player_id))
        pipe = self._redis.pipeline(transaction=True)
        for other in blocked:
            pipe.srem(keys.blocked_by(other), player_id)
        for other in blockers:
            pipe.zrem(keys.blocks(other.decode()), player_id)
        pipe.delete(keys.blocks(player_id), keys.blocked_by(player_id))
        pipe.execute()
