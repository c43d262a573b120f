"""When players could play: a week of half hours each, which no other player sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from redis import Redis

from cartulary.events.model.errors import Invalid
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.tournaments.times import (
    CommonTime,
    find_common_times,
    find_faults_of_availability,
    read_availability,
)


class Availabilities:
    """The availabilities of all players. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis) -> None:
        self._registry = registry

    def find(self, player_id: str) -> Json | None:
        """Return the availability of a player, None without one."""
        stored: Any = self._registry.get(keys.availability(player_id))
        return None if stored is None else orjson.loads(stored)

    def change(self, player_id: str, value: Json | None) -> None:
        """Set the availability of a player, None: the player states none. Raises `Invalid`."""
        key = keys.availability(player_id)
        if value is None:
            self._registry.delete(key)
            return
        if faults := [*find_faults_of_availability(value)]:
            raise Invalid(faults)
        self._registry.set(key, orjson.dumps(value))

    def find_missing(self, player_ids: Sequence[str]) -> set[str]:
        """Return those of some players who have stated none."""
        found = self._registry.mget([keys.availability(one) for one in player_ids])
        return {one for one, stored in zip(player_ids, found, strict=True) if stored is None}

    def find_common(self, player_ids: Sequence[str], since: int, until: int) -> list[CommonTime]:
        """Return when some players could play (ms since the epoch), the earliest first.

        Nothing as long as one of them has stated no availability.
        """
        found: Any = self._registry.mget([keys.availability(one) for one in player_ids])
        if None in found:
            return []
        stated = [read_availability(orjson.loads(one)) for one in found]
        return find_common_times(stated, since, until)
