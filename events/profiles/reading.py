"""Reading what was counted: the figures of a player, whom the player has met, how games ended.

A request reads a few keys and the names of a bounded number of opponents, however much was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.profiles.counting import SCOPES, SHOWN
from cartulary.events.profiles.tallies import (
    PlayerTally,
    Record,
    Reliability,
    read_record,
    read_reliability,
    read_tally,
)
from cartulary.events.server import keys

AGAINST: Final = 10
"""The number of opponents that are shown."""

LOOKED_AT: Final = 40
"""The number of opponents that are looked at, because some hide or are gone."""


class Opponent(NamedTuple):
    """Another player, and the results of the two."""

    player: Player
    record: Record


class Statistics(NamedTuple):
    """The figures of a player, and the most frequent opponents."""

    tally: PlayerTally
    against: Sequence[Opponent]


class ProfileReader:
    """Reads what was counted. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, players: PlayerRegistry, preferences: Preferences) -> None:
        self._redis, self._players, self._preferences = registry, players, preferences

    def read(self, player_id: str, game: str, tables: Sequence[str], own: bool) -> Statistics:
        """Return the figures of a player at tables of some sizes; `own`: as the player sees them.

        Others see those of public games only.
        """
        scopes = SCOPES if own else (SHOWN,)
        buckets = [(player_id, game, *words) for words in product(tables, scopes)]
        pipe = self._redis.pipeline(transaction=False)
        for bucket in buckets:
            pipe.hgetall(keys.statistics(*bucket))
        for bucket in buckets:
            pipe.zrevrange(keys.opponents(*bucket), 0, LOOKED_AT - 1, withscores=True)
        found = pipe.execute()
        met: Counter[str] = Counter()
        for opponents in found[len(buckets) :]:
            met.update({other.decode(): int(number) for other, number in opponents})
        return Statistics(read_tally(found[: len(buckets)]), self._list_opponents(met))

    def _list_opponents(self, met: Counter[str]) -> list[Opponent]:
        """Return the most frequent opponents; those who hide or are gone are left out."""
        often = sorted(met, key=lambda other: (-met[other], other))[:LOOKED_AT]
        hidden = self._preferences.find_hidden(often)
        players = self._players.find_all(often)
        return [
            Opponent(player, read_record(met[player.id]))
            for player in players
            if player is not None and player.id not in hidden
        ][:AGAINST]

    def read_reliability(self, player_id: str) -> Reliability:
        """Return how a player has ended games, public or not."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.hgetall(keys.reliability(player_id))
        pipe.zcard(keys.steady_games(player_id))
        stored, steady = pipe.execute()
        return read_reliability(stored, steady)

    def read_median_turns(self, player_ids: Sequence[str]) -> dict[str, int]:
        """Return how many seconds players take for a turn, the median, in one round trip.

        It is that of `read_reliability`; who has taken no turn is missing.
        """
        pipe = self._redis.pipeline(transaction=False)
        for player_id in player_ids:
            pipe.hgetall(keys.reliability(player_id))
        known = zip(player_ids, pipe.execute(), strict=True)
        medians = {player: read_reliability(stored, 0).median_turn_s for player, stored in known}
        return {player: median for player, median in medians.items() if median is not None}

    def find_public(self, game_ids: Iterable[str]) -> set[str]:
        """Return those of some finished games of which others may learn, in one round trip."""
        asked = list(game_ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in asked:
            pipe.hget(keys.counted_games(game_id), game_id)
        found: list[Any] = pipe.execute()
        return {game_id for game_id, public in zip(asked, found, strict=True) if public == b"1"}
