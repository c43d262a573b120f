"""The job that archives games, and when the dispatcher enqueues the job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.identity import Noted
from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers.archiving import CHECK_EVERY_S, PLACE, ArchiveFeeder, archive_some
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.wiring import provide
from tests.conftest import OFFERS
from tests.events.support.tournaments import Cup
from tests.support.store_with_archive import add_game, open_with_archive

pytestmark = pytest.mark.real


class Door:
    """The way to an archive, which may be shut."""

    def __init__(self, folder: Path) -> None:
        self.url, self.is_shut = f"sqlite:///{folder}/archive.sqlite", False

    def open(self, noted: Noted) -> Archive:
        if self.is_shut:
            raise ArchiveUnavailable("the database does not answer")
        return Archive.open(self.url, noted=noted)


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path, door: Door) -> Iterator[Store]:
    """A store with a game that is over and may be archived at once; jobs work on it."""
    with open_with_archive(real_redis, tmp_path, door.open) as store:
        store.archive_after = 0
        add_game(store)
        # What ended in this very millisecond did not end before now.
        for game_id in store.ledger.game_ids():
            store.projections.finished.put_off(game_id, store.clock.now_ms() - 1000)
        provide(store, OFFERS)
        yield store
        provide(store, {})


def make_feeder(store: Store) -> ArchiveFeeder:
    return ArchiveFeeder(store, queues_on(store.redis))


def test_a_job_is_enqueued_while_games_wait_and_once(store: Store) -> None:
    feeder = make_feeder(store)
    assert feeder.run()
    assert not feeder.run(), "the job waits already"
    assert archive_some() == 1
    queue: Any = queues_on(store.redis).analysis
    queue.empty()
    assert not feeder.run(), "no game waits"


def test_now_and_then_a_job_checks_the_archive_where_no_game_waits(
    store: Store, door: Door
) -> None:
    assert archive_some() == 1
    now = [0.0]
    feeder = ArchiveFeeder(store, queues_on(store.redis), lambda: now[0])
    queue: Any = queues_on(store.redis).analysis
    for at, is_due in ((0.0, True), (CHECK_EVERY_S - 1, False), (CHECK_EVERY_S, True)):
        now[0] = at
        assert bool(feeder.run()) == is_due
        queue.empty()
    store.archive.close()
    store.registry.set("archive:identity", "of another archive")
    assert archive_some() == 0
    noted = store.archive_state.read()
    assert (noted.works, noted.problem) == (False, "foreign")
    store.registry.set("archive:identity", find_identity(door))
    store.archive.close()
    assert archive_some() == 0
    assert store.archive_state.read().works


def find_identity(door: Door) -> str:
    archive = Archive.open(door.url)
    found = archive.identify()
    archive.close()
    return found


def test_without_a_time_no_game_is_archived_and_the_archive_is_checked(
    store: Store, door: Door
) -> None:
    store.archive_after = None
    assert make_feeder(store).run()
    assert archive_some() == 0
    assert store.archive_state.read().works
    door.is_shut = True
    store.archive.close()
    assert archive_some() == 0
    assert store.archive_state.read().problem == "unreachable"
    assert store.projections.finished.count_before(store.clock.now_ms()) == 1


def test_a_second_archiver_leaves_the_games_to_the_first(store: Store) -> None:
    with store.leases.hold(PLACE, 0) as lease:
        assert lease is not None
        assert archive_some() == 0
    assert archive_some() == 1


def test_after_a_failure_no_job_is_enqueued_until_the_wait_is_over(
    store: Store, door: Door
) -> None:
    feeder = make_feeder(store)
    assert feeder.run()
    queue: Any = queues_on(store.redis).analysis
    queue.empty()
    door.is_shut = True
    assert archive_some() == 0
    noted = store.archive_state.read()
    assert (noted.failures, noted.error) == (1, "the database does not answer")
    assert not feeder.run()
    store.registry.hset("archive", "again_at", store.clock.now_ms())
    assert feeder.run()
    assert len(list(store.ledger.game_ids())) == 1


def test_a_dispatcher_that_has_just_started_does_not_wait(store: Store, door: Door) -> None:
    door.is_shut = True
    assert archive_some() == 0
    assert store.archive_state.read().again_at > store.clock.now_ms()
    assert make_feeder(store).run(), "the operator may have corrected what failed"


def test_a_tournament_that_has_ended_is_archived_by_the_same_job(store: Store, door: Door) -> None:
    assert archive_some() == 1, "the game"
    cup = Cup(store.redis, door.url)
    cup.announce()
    cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
    feeder = make_feeder(store)
    assert feeder.run(), "the check after the start"
    queue: Any = queues_on(store.redis).analysis
    queue.empty()
    assert not feeder.run(), "no entrant knows of the end"
    cup.store.tournaments.driver.run()
    assert feeder.run()
    assert archive_some() == 1
    assert not cup.store.redis.exists(keys.tournament(cup.id))
    assert cup.now.status == "cancelled"
    cup.store.archive.close()
