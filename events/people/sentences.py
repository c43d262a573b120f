"""Sentences: what the operators have decided about players, until when, and why.

A sentence is over by itself when its time has come: it is judged by the clock when it is read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock, format_time


class Sentence(NamedTuple):
    """A decision about a player: until when (ms since the epoch, None: for good), and why."""

    until: int | None
    reason: str

    def holds(self, now: int) -> bool:
        """Return whether the decision is in force at this time (ms since the epoch)."""
        return self.until is None or now < self.until

    @property
    def until_text(self) -> str | None:
        """Return the end as RFC 3339, None for good."""
        return None if self.until is None else format_time(self.until)


class SentenceRegister:
    """The sentences of one kind, by player: a hash of the registry. Thread-safe.

    All methods raise `RedisError`.
    """

    def __init__(self, redis: Redis, key: str, clock: Clock) -> None:
        self._redis, self._key, self._clock = redis, key, clock

    def impose(self, player_id: str, reason: str, until: int | None = None) -> Sentence:
        """Decide about a player, in place of what was decided before."""
        made = Sentence(until, reason)
        stored: Any = orjson.dumps(made._asdict())
        self._redis.hset(self._key, player_id, stored)
        return made

    def lift(self, player_id: str) -> bool:
        """Take a decision back; return whether there was one."""
        return bool(self._redis.hdel(self._key, player_id))

    def find(self, player_id: str) -> Sentence | None:
        """Return the sentence of a player that is in force now, or None."""
        stored: Any = self._redis.hget(self._key, player_id)
        return self.read(stored)

    def read(self, stored: bytes | None) -> Sentence | None:
        """Return a stored sentence if it is in force now, else None."""
        sentence = None if stored is None else read_sentence(stored)
        return sentence if sentence and sentence.holds(self._clock.now_ms()) else None

    def list_all(self) -> dict[str, Sentence]:
        """Return the sentences that are in force now, by player."""
        found: Any = self._redis.hgetall(self._key)
        read = {one.decode(): self.read(stored) for one, stored in found.items()}
        return {one: sentence for one, sentence in read.items() if sentence is not None}


def read_sentence(stored: bytes) -> Sentence:
    """Return what is stored of a decision."""
    return Sentence(**orjson.loads(stored))
