"""The job that counts newly archived games for the explorer, and when it is enqueued."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.store import Store
from cartulary.workers.exploring import PLACE, ExplorerFeeder, explore_some
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.wiring import provide
from tests.events.explorer.looking import count
from tests.events.support.rematches import begin, play_out
from tests.support.games import ALL_OFFERS
from tests.support.store_with_archive import archive_all, open_with_archive

pytestmark = pytest.mark.real


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    """A store with an archived game; jobs work on it."""
    with open_with_archive(real_redis, tmp_path) as store:
        people = [store.players.create(name)[0] for name in ("Ada", "Bob")]
        play_out(store, begin(store, *people), *people)
        archive_all(store)
        store.explorer.url = f"sqlite:///{tmp_path}/explorer.sqlite"
        provide(store, ALL_OFFERS)
        yield store
        provide(store, {})
        store.explorer.close()


def test_a_job_counts_what_was_archived_and_nothing_twice(store: Store) -> None:
    assert explore_some() == 1
    assert explore_some() == 0
    assert count(store.explorer.book, "beans") == 1


def test_of_two_jobs_one_counts(store: Store) -> None:
    with store.leases.hold(PLACE, 0) as lease:
        assert lease is not None
        assert explore_some() == 0
    assert explore_some() == 1


def test_a_job_is_enqueued_once_and_where_there_is_an_explorer(store: Store) -> None:
    feeder = ExplorerFeeder(store, queues_on(store.redis))
    assert feeder.run() == 1
    assert feeder.run() == 0, "the job waits already"
    queue: Any = queues_on(store.redis).analysis
    queue.empty()
    store.explorer.url = ""
    assert feeder.run() == 0
    assert explore_some() == 0


def test_a_database_that_fails_costs_no_game(store: Store, tmp_path: Path) -> None:
    good, store.explorer.url = store.explorer.url, f"sqlite:///{tmp_path}/missing/explorer.sqlite"
    assert explore_some() == 0
    store.explorer.close()
    store.explorer.url = good
    assert explore_some() == 1
