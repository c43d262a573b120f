"""Ratings are made again from the streams, of the store and of the archive."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis

from cartulary.events.ratings.finding import find_result
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.events.upkeep.replaying import replay
from cartulary.games import OFFERS
from cartulary.ratings.results import Bucket
from tests.support.practice_games import lose_practice
from tests.support.store_with_archive import archive_all, open_with_archive

BUCKET = Bucket("practice", "carcassonne", "2")


def rate(store: Store, game_id: str) -> None:
    """Do what a dispatcher does."""
    result = find_result(store.projector.table(game_id), store.ledger.events)
    assert result is not None
    store.ratings.note(result)
    store.ratings.fold_all()


def dump(store: Store) -> dict[str, Any]:
    """Return everything that the store has of ratings."""
    redis: Any = store.registry
    read = {
        b"hash": redis.hgetall,
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        b"set": redis.smembers,
    }
    found = redis.scan_iter(match=f"{keys.PROJECTIONS}ratings:*")
    return {key.decode(): read[redis.type(key)](key) for key in found}


def test_a_rebuild_finds_the_same_ratings_in_store_and_archive(
    real_redis: Redis, tmp_path: Path
) -> None:
    with open_with_archive(real_redis, tmp_path) as store:
        ada = store.players.create("Ada")[0]
        gone = lose_practice(store, ada, "easy")
        rate(store, gone.id)
        assert archive_all(store).archived == 1
        kept, void = lose_practice(store, ada), lose_practice(store, ada)
        rate(store, kept.id)
        rate(store, void.id)
        store.ratings.void(void.id, "a test")
        store.ratings.fold_all()
        before = dump(store)
        assert rebuild(store) == []
        assert dump(store) == before
        assert store.rating_reader.read_standings([ada.id], BUCKET)[ada.id].games == 2
        found = replay(store, lambda _done, _total: None)
        assert (found.results, found.faults) == (2, [])


def test_a_replay_names_what_differs(fake_redis: Redis) -> None:
    store = Store(fake_redis, OFFERS)
    ada = store.players.create("Ada")[0]
    first, second, missing = (lose_practice(store, ada) for _ in range(3))
    rate(store, first.id)
    rate(store, second.id)
    steps = keys.ratings("steps", BUCKET.text())
    store.registry.hset(steps, second.id, store.registry.hget(steps, first.id))
    found = replay(store, lambda _done, _total: None)
    assert found.results == 3
    assert found.faults == [
        f"game {missing.id}: the result is not the one that was noted",
        f"game {second.id}: the ratings after it are not those of the fold",
    ]
    store.leases.close()


@pytest.mark.slow
def test_a_replay_agrees_however_the_results_arrived(fake_redis: Redis, rng: Random) -> None:
    """Late, twice, out of order, and noted by a dispatcher that dies before it folds."""
    store = Store(fake_redis, OFFERS)
    people = [store.players.create(name)[0] for name in ("Ada", "Bob")]
    games = [lose_practice(store, rng.choice(people)) for _ in range(8)]
    for game in rng.sample(games, len(games)) + games[:3]:
        result = find_result(game, store.ledger.events)
        assert result is not None
        store.ratings.note(result)
        if rng.random() < 0.5:
            store.ratings.fold(BUCKET, most=1)
            store.ratings.fold_newest(BUCKET)
    found = replay(store, lambda _done, _total: None)
    assert (found.results, found.faults) == (8, [])
    store.leases.close()
