"""The pulse: a web process shows all the time that players can move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import Gauge
from redis import ConnectionError as Unreachable
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.backup.proven import Proven, note_proven
from cartulary.events.live.live import Hub
from cartulary.events.mining.log import MiningLog, MiningState
from cartulary.events.model.errors import NotCached
from cartulary.events.notices.log import LoggedNotice
from cartulary.events.notices.waiting import NewEntry, open_deliveries
from cartulary.events.server import keys
from cartulary.events.server.conditions import RoomUse, ServerRoom
from cartulary.events.store import Store
from cartulary.events.time.outages import read_outage
from cartulary.games import OFFERS
from cartulary.service.process import pulse as pulsing
from cartulary.service.process.metrics import Metrics
from cartulary.service.process.pulse import Pulse, show_timekeeping, start_pulse
from tests.service.support.gunicorn_process import Gunicorn
from tests.support.fake_clock import HOUR, MINUTE, FakeClock
from tests.support.polling import until


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(fake_redis: Redis, clock: FakeClock) -> Store:
    return Store(fake_redis, OFFERS, clock=clock)


@pytest.fixture
def pulse(store: Store) -> Iterator[Pulse]:
    pulse = Pulse(store, Hub(store.ledger), every=0.01)
    yield pulse
    pulse.stop()


def read_heartbeat(store: Store) -> int:
    return int(store.redis.get(keys.heartbeat()) or 0)


def finds_cached(store: Store, since: int) -> bool:
    """Return whether the pulse has read the calendar too, which it does after the heartbeat."""
    try:
        store.calendar.find_cached_stops(None, since, store.clock.now_ms())
    except NotCached:
        return False
    return True


def test_the_first_heartbeat_is_there_before_the_first_request(store: Store, pulse: Pulse) -> None:
    pulse.start()
    assert read_heartbeat(store) == store.clock.now_ms()


def test_the_heart_goes_on_until_the_process_ends(
    store: Store, clock: FakeClock, pulse: Pulse
) -> None:
    pulse.start()
    clock.advance(5000)
    until(lambda: read_heartbeat(store) == clock.now)
    pulse.stop()
    clock.advance(5000)
    assert read_heartbeat(store) == clock.now - 5000
    assert store.outages.read() == ()


@pytest.mark.slow
def test_a_store_that_was_away_is_an_outage(
    store: Store, clock: FakeClock, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulse.start()
    tried = []

    def fail() -> Any:
        tried.append(clock.now)
        raise Unreachable("no store")

    with monkeypatch.context() as patched:
        patched.setattr(store.outages, "beat", fail)
        until(lambda: len(tried) > 1)
        last = read_heartbeat(store)
        clock.advance(HOUR)
    until(lambda: finds_cached(store, last))
    assert store.outages.read() == ((last, clock.now + MINUTE),)
    assert store.calendar.find_cached_stops(None, last, clock.now) == ((last, clock.now),)


def test_a_report_that_fails_is_logged_once_and_the_heart_goes_on(
    store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    reports: list[None] = []

    def fail() -> None:
        reports.append(None)
        raise PermissionError("no way into the folder of the store")

    pulse = Pulse(store, Hub(store.ledger), every=0.01, report=fail)
    pulse.start()
    try:
        clock.advance(5000)
        until(lambda: read_heartbeat(store) == clock.now)
        until(lambda: len(reports) > 2)
    finally:
        pulse.stop()
    assert caplog.text.count("the pulse has failed") == 1


def test_the_metrics_show_timers_flags_and_outages(store: Store, clock: FakeClock) -> None:
    metrics = Metrics()
    store.outages.beat()
    clock.advance(HOUR)
    store.outages.beat()
    store.heartbeats.write(0, 0.0, 7, 2.5)
    store.redis.hset(keys.timeouts(), "stand_in", "3")
    store.redis.hset(keys.analyses_counted(), "started", "5")
    store.notice_log.write(("a", "b"), LoggedNotice("x", 0, "sent", "push", {}))
    for due in (0, clock.now):
        open_deliveries(store.registry).add(NewEntry(f"{due}", due, b"[]"))
    log = MiningLog(store.registry)
    log.replace(log.read(), MiningState(games=3, puzzles=2, passed=1, cpu_ms=1500))
    show_timekeeping(store, metrics)
    shown = metrics.text().decode().splitlines()
    assert {
        "cartulary_timers_late 7.0",
        "cartulary_timer_late_seconds 2.5",
        "cartulary_outages 1.0",
        "cartulary_outage_seconds 3660.0",
        'cartulary_archive{what="archived"} 0.0',
        'cartulary_mining{what="games"} 3.0',
        'cartulary_mining{what="puzzles"} 2.0',
        'cartulary_mining{what="passed"} 1.0',
        'cartulary_mining{what="seconds"} 1.5',
        'cartulary_flags{follows="stand_in"} 3.0',
        'cartulary_flags{follows="claim"} 0.0',
        'cartulary_analyses{what="started"} 5.0',
        'cartulary_analyses{what="failed"} 0.0',
        'cartulary_notices{what="sent"} 1.0',
        'cartulary_notices{what="failed"} 0.0',
        'cartulary_notices{what="intents"} 0.0',
        'cartulary_notices{what="deliveries"} 2.0',
        'cartulary_notices{what="questions"} 0.0',
        'cartulary_notices{what="late"} 1.0',
    } <= set(shown)


@pytest.mark.real
def test_a_service_that_starts_after_three_hours_notes_them(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "store") as valkey:
        assert valkey.url is not None
        redis: Any = Redis.from_url(valkey.url)
        with Gunicorn(valkey.url, tmp_path / "first.log", web_processes=2):
            first = int(redis.get(keys.heartbeat()))
            until(lambda: int(redis.get(keys.heartbeat())) > first)
        assert redis.zcard(keys.outages()) == 0
        down = int(redis.get(keys.heartbeat())) - 3 * HOUR
        redis.set(keys.heartbeat(), down)
        with Gunicorn(valkey.url, tmp_path / "second.log", web_processes=2):
            noted = redis.zrange(keys.outages(), 0, -1)
        assert [read_outage(one)[0] for one in noted] == [down]
        assert read_outage(noted[0])[1] >= down + 3 * HOUR + MINUTE
        redis.close()


def test_the_age_of_the_last_proven_backup_is_shown(store: Store, clock: FakeClock) -> None:
    metrics = Metrics()
    for text, age in ((None, "+Inf"), (b"{", "+Inf"), (None, "3600.0")):
        if text is not None:
            store.registry.set(keys.proven_backup(), text)
        elif age != "+Inf":
            note_proven(store.registry, Proven(clock.now - HOUR, "/backups", 1, "0.1.0"))
        show_timekeeping(store, metrics)
        assert f"cartulary_backup_proven_age_seconds {age}" in metrics.text().decode()


def test_a_server_that_is_gone_shows_nothing_of_nothing() -> None:
    metrics = Metrics()
    used = ServerRoom(RoomUse(3, 9), RoomUse(4, 10))
    metrics.show_rooms({"10.0.0.1:7000": used, "10.0.0.2:7000": used})
    metrics.show_rooms({"10.0.0.2:7000": used})
    shown = metrics.text().decode().splitlines()
    names = ("memory_bytes", "memory_limit_bytes", "disk_free_bytes", "disk_bytes")
    for name, kept in zip(names, ("3.0", "9.0", "6.0", "10.0"), strict=True):
        assert f'cartulary_store_{name}{{server="10.0.0.1:7000"}} 0.0' in shown
        assert f'cartulary_store_{name}{{server="10.0.0.2:7000"}} {kept}' in shown


def test_the_metrics_show_how_long_queue_and_outbox_have_waited(
    store: Store, clock: FakeClock
) -> None:
    metrics = Metrics()
    show_timekeeping(store, metrics)
    shown = metrics.text().decode()
    assert "cartulary_dispatcher_silent_seconds +Inf" in shown
    assert "cartulary_outbox_age_seconds 0.0" in shown
    store.heartbeats.write(3, 12.5)
    store.redis.xadd(keys.outbox("game"), {"game": "x"}, id="1000-0")
    show_timekeeping(store, metrics)
    lines = metrics.text().decode().splitlines()
    found = {
        name: float(line.split()[1])
        for name in ("queue_age", "dispatcher_silent", "outbox_age", "heartbeat_timestamp")
        for line in lines
        if line.startswith(f"cartulary_{name}_seconds ")
    }
    assert found["queue_age"] == 12.5
    assert 0 <= found["dispatcher_silent"] < 60
    assert found["outbox_age"] > HOUR
    assert found["heartbeat_timestamp"] == pytest.approx(clock.now / 1000, abs=0.1)


def test_a_process_that_has_ended_shows_no_gauge(monkeypatch: pytest.MonkeyPatch) -> None:
    """prometheus_client removes the files of a process that has ended for these modes alone."""
    modes: list[str] = []

    def note(*args: Any, **options: Any) -> Gauge:
        modes.append(options["multiprocess_mode"])
        return Gauge(*args, **options)

    monkeypatch.setattr("cartulary.service.process.metrics.Gauge", note)
    Metrics()
    assert len(modes) > 20
    assert {mode[:4] for mode in modes} == {"live"}


def test_the_pulse_shows_the_chosen_durability(store: Store) -> None:
    metrics = Metrics()
    pulse = start_pulse(store, Hub(store.ledger), metrics, "always")
    pulse.stop()
    assert 'cartulary_durability{durability="always"} 1.0' in metrics.text().decode()


@pytest.mark.real
def test_the_pulse_shows_the_room_of_the_store(real_store: Store) -> None:
    metrics = Metrics()
    start_pulse(real_store, Hub(real_store.ledger), metrics).stop()
    shown = metrics.text().decode()
    for name in ("memory_bytes", "memory_limit_bytes", "disk_free_bytes", "disk_bytes"):
        assert f'cartulary_store_{name}{{server="store"}}' in shown


@pytest.mark.real
def test_a_store_that_evicts_is_logged_once(
    real_store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    often = partial(Pulse, every=0.01)
    monkeypatch.setattr("cartulary.service.process.pulse.Pulse", often)
    redis: Any = real_store.redis
    redis.config_set("maxmemory-policy", "allkeys-lru")
    metrics = Metrics()
    reports: list[None] = []
    monkeypatch.setattr(metrics, "show_rooms", lambda _rooms: reports.append(None))
    pulse = start_pulse(real_store, Hub(real_store.ledger), metrics)
    try:
        until(lambda: len(reports) > 2)
    finally:
        pulse.stop()
        redis.config_set("maxmemory-policy", "noeviction")
    assert caplog.text.count("store removes keys when its memory is full") == 1


@pytest.mark.parametrize(
    ("policy", "evicts"), [("", False), ("noeviction", False), ("allkeys-lru", True)]
)
def test_a_server_that_would_remove_games_is_logged_once(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    policy: str,
    evicts: bool,
) -> None:
    reports: list[Callable[[], object]] = []

    class Still(Pulse):
        def start(self) -> None:
            reports.append(self._report)

    monkeypatch.setattr(pulsing, "Pulse", Still)
    monkeypatch.setattr(pulsing, "read_rooms", lambda *_: {"store": ServerRoom(policy=policy)})
    start_pulse(store, Hub(store.ledger), Metrics(), "always")
    for report in reports * 2:
        report()
    assert len(caplog.records) == evicts


def test_the_pulse_of_a_process_that_ends_does_not_keep_it(store: Store) -> None:
    assert Pulse(store, Hub(store.ledger))._thread.daemon  # noqa: SLF001
