"""Ties: what one player has chosen about another, kept from both ends.

Each end has a key of its own, so that a player who goes, or becomes another account, leaves no tie
behind at the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, ClassVar, NamedTuple

from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock, format_time
from cartulary.events.model.errors import QuotaExceeded


class Tie(NamedTuple):
    """The other player of a tie, and since when it is there (RFC 3339)."""

    player_id: str
    since: str


class Ties:
    """Ties of one kind, a part of the registry. Thread-safe. All methods raise `RedisError`.

    `chosen` and `chosen_by` name the keys of a player: a sorted set of those whom the player has
    chosen, by time in ms since the epoch, and a set of those who have chosen the player.
    """

    quota: ClassVar[str]
    """The name of what is counted (`model.quota_words`)."""
    most: ClassVar[int]
    """The most others that a player may choose."""

    def __init__(
        self,
        redis: Redis,
        chosen: Callable[[str], str],
        chosen_by: Callable[[str], str],
        clock: Clock = SYSTEM,
    ) -> None:
        self._redis, self._clock = redis, clock
        self._chosen, self._chosen_by = chosen, chosen_by

    def add(self, player_id: str, other_id: str) -> None:
        """Let a player choose another player; nothing changes when it is so already.

        Raises `QuotaExceeded`.
        """
        used: Any = self._redis.zcard(self._chosen(player_id))
        if used >= self.most and not self.has(player_id, other_id):
            raise QuotaExceeded(self.quota, self.most, int(used), 0, None)
        pipe = self._redis.pipeline(transaction=True)
        pipe.zadd(self._chosen(player_id), {other_id: self._clock.now_ms()}, nx=True)
        pipe.sadd(self._chosen_by(other_id), player_id)
        pipe.execute()

    def remove(self, player_id: str, other_id: str) -> None:
        """Let a player choose another player no longer."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.zrem(self._chosen(player_id), other_id)
        pipe.srem(self._chosen_by(other_id), player_id)
        pipe.execute()

    def has(self, player_id: str, other_id: str) -> bool:
        """Return whether a player has chosen another player."""
        return bool(self.find_choosers([player_id], other_id))

    def find_choosers(self, player_ids: Collection[str], other_id: str) -> set[str]:
        """Return those of some players who have chosen another player, in one round trip."""
        asked = [one for one in player_ids if one != other_id]
        if not asked:
            return set()
        said: Any = self._redis.smismember(self._chosen_by(other_id), asked)
        return {player_id for player_id, yes in zip(asked, said, strict=True) if yes}

    def find_chosen(self, player_id: str) -> set[str]:
        """Return the ids of all whom a player has chosen, in one round trip."""
        found: Any = self._redis.zrange(self._chosen(player_id), 0, -1)
        return {one.decode() for one in found}

    def list_of(self, player_id: str) -> list[Tie]:
        """Return whom a player has chosen, the longest tie first."""
        found: Any = self._redis.zrange(self._chosen(player_id), 0, -1, withscores=True)
        return [Tie(one.decode(), format_time(int(since))) for one, since in found]

    def move(self, guest_id: str, player_id: str) -> None:
        """Give an account the ties of its guest, from both ends."""
        chosen = self.find_chosen(guest_id) - {player_id}
        choosers: Any = self._redis.smembers(self._chosen_by(guest_id))
        now = self._clock.now_ms()
        pipe = self._redis.pipeline(transaction=True)
        for other in chosen:
            pipe.zadd(self._chosen(player_id), {other: now}, nx=True)
            pipe.sadd(self._chosen_by(other), player_id)
        for other in {one.decode() for one in choosers} - {player_id}:
            pipe.zadd(self._chosen(other), {player_id: now}, nx=True)
            pipe.sadd(self._chosen_by(player_id), other)
        pipe.execute()
        self.erase(guest_id)

    def erase(self, player_id: str) -> None:
        """Forget whom a player has chosen, and who has chosen the player."""
        chosen = self.find_chosen(player_id)
        choosers: Any = self._redis.smembers(self._chosen_by(player_id))
        pipe = self._redis.pipeline(transaction=True)
        for other in chosen:
            pipe.srem(self._chosen_by(other), player_id)
        for other in choosers:
            pipe.zrem(self._chosen(other.decode()), player_id)
        pipe.delete(self._chosen(player_id), self._chosen_by(player_id))
        pipe.execute()
