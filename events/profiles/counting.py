"""Counting: each finished game is added to the figures of its players, once.

The figures are sums in a few hashes for each player, so that a request reads as much after a
thousand games as after one. Games that are not public are counted apart: only the player sees
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import orjson
from redis import Redis

from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.profiles.finding import CountedGame, GameShare, find_shares
from cartulary.events.profiles.tallies import (
    GAME,
    MOST_GAMES,
    weigh_pairing,
    write_endings,
    write_sums,
)
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script
from cartulary.ratings.results import TABLES

STEADY: Final = 20
"""The most games since the last time-out that are counted."""

SHOWN, OWN = SCOPES = ("shown", "own")
"""The figures of public games, and those of the others, which only the player sees."""


class StatisticsCounter:
    """Counts finished games. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, rules: Rules) -> None:
        self._redis, self._rules = registry, rules
        script = read_script("profiles", "count.lua")
        self._count = registry.register_script(script)

    def has(self, game_id: str) -> bool:
        """Return whether a game is counted."""
        return bool(self._redis.hexists(keys.counted_games(game_id), game_id))

    def count(self, summary: Json, events: Sequence[Json]) -> bool:
        """Count a game by its summary (`Table.summary`) and all its events.

        Returns False for a game that does not count, or is counted.
        """
        rules = self._rules.get(summary["game"])
        game = None if rules is None else find_shares(summary, events, rules.figures)
        if game is None or not game.shares:
            return False
        scope = SHOWN if game.public else OWN
        named = [key for share in game.shares for key in _name_keys(game, share, scope)]
        done: Any = self._count(
            keys=[keys.counted_games(game.id), keys.deleted(), *named],
            args=[
                *(game.id, int(game.public), game.at, STEADY, GAME * MOST_GAMES),
                orjson.dumps([_write_share(share) for share in game.shares]),
            ],
        )
        return bool(done)

    def forget(self, player_id: str) -> None:
        """Delete the figures of a player; others keep their results against the player."""
        pipe = self._redis.pipeline(transaction=False)
        for game, table, scope in product(self._rules, TABLES, SCOPES):
            pipe.unlink(keys.statistics(player_id, game, table, scope))
            pipe.unlink(keys.opponents(player_id, game, table, scope))
        pipe.unlink(keys.reliability(player_id), keys.steady_games(player_id))
        pipe.execute()


def _name_keys(game: CountedGame, share: GameShare, scope: str) -> tuple[str, ...]:
    bucket = share.player, game.game, game.table, scope
    return (
        *(keys.statistics(*bucket), keys.opponents(*bucket)),
        *(keys.reliability(share.player), keys.steady_games(share.player)),
    )


def _write_share(share: GameShare) -> Json:
    """Return a share for the script. Its numbers are texts: Lua would round large ones."""
    met = {one.player: str(weigh_pairing(one)) for one in share.pairings if one.player is not None}
    best = {} if share.play is None else {"best": str(share.play.score)}
    return {
        "player": share.player,
        "sums": {name: str(number) for name, number in write_sums(share).items()},
        **best,
        "opponents": met,
        "endings": {name: str(number) for name, number in write_endings(share).items()},
        "timed_out": share.outcome == "timed_out",
    }
