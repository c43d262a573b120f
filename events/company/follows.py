"""Follows: whose company a player likes. The followed player does not learn of it."""

from __future__ import annotations

from typing import ClassVar

from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.people.ties import Ties
from cartulary.events.server import keys


class Follows(Ties):
    """Who follows whom. Thread-safe. All methods raise `RedisError`."""

    quota: ClassVar[str] = "follows"
    most: ClassVar[int] = 200
    """Few enough that what all of them do can be shown at once."""

    def __init__(self, redis: Redis, clock: Clock = SYSTEM) -> None:
        super().__init__(redis, keys.follows, keys.followed_by, clock)
