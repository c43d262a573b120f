"""Two releases side by side: a new schema is written once every process reads it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from redis import Redis

from cartulary.events.people.players import Player
from cartulary.events.server import format as formatting
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT, claim_format, find_schema
from cartulary.events.store import Store
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.worker import make_worker
from tests.events.support.opened_tables import At, open_table
from tests.support.fake_clock import FakeClock

PACE = {"mode": "correspondence", "delay": 5, "bank": 1_000}
BEAT_MS = 5_000


class Upgrade:
    """A store that the release before has used, and a timed game in it."""

    def __init__(self, store: Store, clock: FakeClock, ada: Player, bob: Player) -> None:
        self.store, self.clock, self.ada = store, clock, ada
        store.redis.set(keys.store_format(), BEFORE)
        table = open_table(store, [ada, bob], "undo", game="carcassonne", pace=PACE)
        self.at = At(store, table, [ada, bob])

    def beat_as_before(self) -> None:
        """A web process of the release before notes its heartbeat."""
        self.store.redis.set(keys.heartbeat(), self.clock.now)

    def pulse(self) -> bytes | None:
        """A web process of this release works for one heartbeat; returns the format after it."""
        self.clock.advance(BEAT_MS)
        self.store.claim()
        self.store.outages.beat()
        return self.format

    @property
    def format(self) -> bytes | None:
        found: Any = self.store.redis.get(keys.store_format())
        return found  # type: ignore[no-any-return]

    def take_back(self) -> dict[str, Any]:
        """Ada places a tile and takes it back; returns the event as it is stored."""
        self.at.move()
        self.clock.advance(1_000)
        self.at.propose(self.ada)
        self.at.must_hold()
        entries: Any = self.store.redis.xrevrange(keys.events(self.at.id), count=1)
        found: dict[str, Any] = orjson.loads(entries[0][1][b"event"])
        return found


@pytest.fixture
def upgrade(timed: Store, clock: FakeClock, ada: Player, bob: Player) -> Upgrade:
    return Upgrade(timed, clock, ada, bob)


BEFORE, NOW = b"5", b"%d" % FORMAT


def test_the_level_rises_once_the_last_older_heartbeat_is_gone(upgrade: Upgrade) -> None:
    upgrade.beat_as_before()
    for _ in range(5):
        assert upgrade.pulse() == BEFORE
        event = upgrade.take_back()
        assert (event["schema"], "clock" in event) == (1, False)
        clocks = upgrade.at.now.clocks
        assert clocks is not None
        assert (clocks.since, clocks.turn_used) == (upgrade.clock.now, 0)
        upgrade.beat_as_before()
    assert [upgrade.pulse() for _ in range(4)] == [BEFORE, BEFORE, BEFORE, NOW]
    event = upgrade.take_back()
    assert (event["schema"], event["clock"]["used"]) == (2, 21_000)


def test_a_level_never_falls(upgrade: Upgrade) -> None:
    assert upgrade.pulse() == NOW
    upgrade.beat_as_before()
    assert [upgrade.pulse() for _ in range(3)] == [NOW] * 3
    assert upgrade.take_back()["schema"] == 2


def test_a_heartbeat_of_this_release_is_no_older_one(upgrade: Upgrade) -> None:
    for _ in range(2):
        upgrade.store.outages.beat()
    assert upgrade.pulse() == NOW


def test_a_later_release_finds_this_one_by_its_heartbeats(
    upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade.pulse()
    upgrade.store.outages.beat()
    monkeypatch.setattr(formatting, "FORMAT", FORMAT + 1)
    assert claim_format(upgrade.store.redis, upgrade.clock.now + 15_000) == FORMAT
    assert claim_format(upgrade.store.redis, upgrade.clock.now + 15_001) == FORMAT + 1


def test_an_older_dispatcher_holds_the_level(upgrade: Upgrade) -> None:
    upgrade.store.heartbeats.write(0, 0.0)
    at: Any = upgrade.store.redis.hget(keys.dispatcher(), "at")
    upgrade.store.redis.hset(keys.dispatcher(), "at", float(at) + 1)
    assert upgrade.pulse() == BEFORE
    upgrade.store.heartbeats.write(0, 0.0)
    assert upgrade.pulse() == NOW


def test_an_older_worker_holds_the_level(upgrade: Upgrade) -> None:
    redis = upgrade.store.redis
    redis.sadd(keys.WORKERS, "rq:worker:ours", "rq:worker:foreign", "rq:worker:gone")
    redis.hset("rq:worker:ours", "queues", "cartulary,cartulary-bots")
    redis.hset("rq:worker:foreign", "queues", "mail")
    assert upgrade.pulse() == BEFORE
    redis.delete("rq:worker:ours")
    assert upgrade.pulse() == NOW
    redis.delete(keys.WORKERS, "rq:worker:foreign")


@pytest.mark.real
def test_a_worker_says_which_format_it_reads(real_redis: Redis) -> None:
    worker = make_worker(queues_on(real_redis))
    worker.register_birth()
    assert real_redis.smembers(keys.WORKERS) == {worker.key.encode()}
    assert real_redis.hget(worker.key, "format") == NOW
    real_redis.set(keys.store_format(), BEFORE)
    assert claim_format(real_redis, 0) == FORMAT


def test_a_new_store_begins_at_the_newest_level(timed: Store) -> None:
    timed.redis.set(keys.heartbeat(), timed.clock.now_ms())
    timed.claim()
    assert timed.redis.get(keys.store_format()) == NOW


def test_a_move_reads_no_level(upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch) -> None:
    level = upgrade.store.commands.writer.level
    monkeypatch.setattr(level, "read", lambda: pytest.fail("the level was read"))
    upgrade.at.move()


def test_a_level_that_cannot_rise_is_not_read_again(upgrade: Upgrade) -> None:
    upgrade.pulse()
    upgrade.store.redis.delete(keys.store_format())
    upgrade.store.claim()
    assert upgrade.store.commands.writer.level.read() == FORMAT
    assert upgrade.format is None


def test_a_new_type_may_not_be_written_below_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "LEVELS", {6: {"old": 2}, 7: {"new": 1}, 8: {"old": 3}})
    assert [find_schema("new", 1, level) for level in (5, 6, 7, 8)] == [0, 0, 1, 1]
    assert [find_schema("old", 3, level) for level in (5, 6, 7, 8)] == [1, 2, 2, 3]
