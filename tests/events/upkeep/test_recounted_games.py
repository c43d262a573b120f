"""Statistics are made again from the streams, of the store and of the archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redis import Redis

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.counted_games import count_game
from cartulary.events.upkeep.rebuild import rebuild
from tests.support.practice_games import lose_practice
from tests.support.store_with_archive import add_game, archive_all, open_with_archive


def dump(store: Store) -> dict[str, Any]:
    """Return everything that the store has of statistics."""
    redis: Any = store.registry
    shapes = {
        b"hash": redis.hgetall,
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
    }
    parts = ("statistics", "opponents", "reliability", "steady", "counted")
    return {
        key.decode(): shapes[redis.type(key)](key)
        for part in parts
        for key in redis.scan_iter(match=f"{keys.PROJECTIONS}{part}:*")
    }


def test_a_rebuild_counts_the_games_of_store_and_archive_again(
    real_redis: Redis, tmp_path: Path
) -> None:
    with open_with_archive(real_redis, tmp_path) as store:
        ada = store.players.create("Ada")[0]
        gone = lose_practice(store, ada, "easy")
        count_game(store, gone)
        imported = store.projector.table(add_game(store))
        count_game(store, imported)
        assert archive_all(store).archived == 2
        count_game(store, lose_practice(store, ada))
        before = dump(store)
        seen: list[tuple[int, int]] = []
        assert rebuild(store, lambda done, total: seen.append((done, total))) == []
        assert dump(store) == before
        assert seen[-1] == (3, 3)
        tally = store.profiles.read(ada.id, "carcassonne", ["2"], own=True).tally
        assert (tally.games, sorted(tally.levels)) == (2, ["easy", "medium"])
        assert not store.statistics.has(imported.id)
