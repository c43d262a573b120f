"""Lists of complaints: their ids by state, in the order in which they were made, and about whom.

The complaints themselves are the truth. The lists are made again from them by the next reader when
they are missing, as after a restore.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import merge
from typing import Any, NamedTuple

from redis import Redis
from redis.client import Pipeline

from cartulary.events.server import keys

OPEN, CLOSED, ALL = STATES = ("open", "closed", "all")


class ListedComplaint(NamedTuple):
    """What the lists know of a complaint; `about` is the id of a player, "" for none."""

    id: str
    about: str
    is_open: bool


class ComplaintLists:
    """The lists of one installation. Thread-safe. All methods raise `RedisError`.

    `read` says what the lists need of a complaint as it is stored.
    """

    def __init__(self, redis: Redis, read: Callable[[bytes], ListedComplaint]) -> None:
        self._redis, self._read_stored = redis, read

    def enter(self, pipe: Pipeline, complaint: ListedComplaint) -> None:
        """Put a complaint where it belongs now; a step of a transaction."""
        mine, other = keys.complaints_open(), keys.complaints_closed()
        if not complaint.is_open:
            mine, other = other, mine
        pipe.zadd(mine, {complaint.id: 0})
        pipe.zrem(other, complaint.id)
        if complaint.about:
            pipe.sadd(keys.complaints_about(complaint.about), complaint.id)

    def read(self, state: str, after: str, limit: int) -> list[str]:
        """Return the ids of complaints in a state of `STATES`, the oldest first, at most `limit`.

        They begin behind the id `after`, "" for the first one.
        """
        self._complete()
        start = f"({after}" if after else "-"
        pipe = self._redis.pipeline(transaction=False)
        for one, key in ((OPEN, keys.complaints_open()), (CLOSED, keys.complaints_closed())):
            if state in (one, ALL):
                pipe.zrangebylex(key, start, "+", 0, limit)
        return [found.decode() for found in merge(*pipe.execute())][:limit]

    def count_about(self, player_id: str) -> int:
        """Return how many complaints there are about a player, open or not."""
        self._complete()
        return int(self._redis.scard(keys.complaints_about(player_id)))

    def _complete(self) -> None:
        """Enter the complaints from before the lists, once."""
        if not self._redis.exists(keys.complaints_complete()):
            self._redis.transaction(self._enter_all, keys.complaints())

    def _enter_all(self, pipe: Pipeline) -> None:
        found: Any = pipe.hvals(keys.complaints())
        pipe.multi()
        for stored in found:
            self.enter(pipe, self._read_stored(stored))
        pipe.set(keys.complaints_complete(), 1)
