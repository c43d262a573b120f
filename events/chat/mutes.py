"""Muting: a player reads no messages of another player; an operator takes the word from a player.

A player who mutes another player hides the messages of that player for themselves only, and the
other player is not told.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import Invalid
from cartulary.events.model.types import format_time
from cartulary.events.server import keys

MOST: Final = 500
"""Players whom one player may mute."""


class Sentence(NamedTuple):
    """What an operator has decided: until when a player may not write (ms, None: for good), why."""

    until: int | None
    reason: str

    def holds(self, now: int) -> bool:
        """Return whether the player may not write at this time (ms since the epoch)."""
        return self.until is None or now < self.until

    @property
    def until_text(self) -> str | None:
        """Return the end as RFC 3339, None for good."""
        return None if self.until is None else format_time(self.until)


class Mutes:
    """Who is muted by whom, and by the operators. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock

    # -- by players -------------------------------------------------------------------------------

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

    # -- by operators -----------------------------------------------------------------------------

    def silence(self, player_id: str, reason: str, until: int | None = None) -> None:
        """Let a player write nothing until a time (ms since the epoch; None: for good)."""
        stored: Any = orjson.dumps({"until": until, "reason": reason})
        self._redis.hset(keys.muted(), player_id, stored)

    def release(self, player_id: str) -> bool:
        """Let a player write again; return whether an operator had taken the word."""
        return bool(self._redis.hdel(keys.muted(), player_id))

    def silenced(self) -> dict[str, Sentence]:
        """Return all players who may not write now, by id."""
        found: Any = self._redis.hgetall(keys.muted())
        sentences = {one.decode(): read_sentence(stored) for one, stored in found.items()}
        now = self._clock.now_ms()
        return {one: sentence for one, sentence in sentences.items() if sentence.holds(now)}


def read_sentence(stored: bytes) -> Sentence:
    """Return what is stored of a decision."""
    return Sentence(**orjson.loads(stored))
