"""Presence: who is here, and who has a game open; written seldom, and lost without harm."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from cartulary.events.lists.presence import EVERY_MS, GONE_MS, Present
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS

GAME = "01GAME"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def make_store(fake_redis: Redis, clock: FakeClock) -> Callable[[], Store]:
    """Each store is a process of its own."""

    def make() -> Store:
        store = Store(fake_redis, ALL_OFFERS, clock=clock)
        # One process of the system stands for several: each has a name of its own.
        store.presence._name = f"process-{id(store)}"  # noqa: SLF001
        store.presence._process = os.getpid()  # noqa: SLF001
        return store

    return make


def test_a_request_is_known_at_once_here_and_elsewhere_after_the_pulse(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    one, other = make_store(), make_store()
    one.presence.note("ada")
    assert one.presence.last_seen("ada") == clock.now
    assert other.presence.last_seen("ada") is None
    one.presence.flush({})
    assert other.presence.last_seen("ada") == clock.now


def test_a_player_is_written_once_in_half_a_minute(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    store, begin = make_store(), clock.now
    written = set()
    for _ in range(30):
        store.presence.note("ada")
        store.presence.flush({})
        written.add(store.redis.get(keys.presence("ada")))
        clock.advance(EVERY_MS // 10)
    assert len(written) == 3
    assert store.presence.last_seen("ada") == begin + 29 * (EVERY_MS // 10)


def test_a_stream_that_is_open_keeps_its_player_here(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    store, other = make_store(), make_store()
    release = store.presence.hold("ada")
    for _ in range(5):
        clock.advance(EVERY_MS)
        store.presence.flush({})
    assert other.presence.last_seen("ada") == clock.now
    release()
    left = clock.now
    for _ in range(5):
        clock.advance(EVERY_MS)
        store.presence.flush({})
    assert other.presence.last_seen("ada") == left


def test_who_opens_a_game_is_there_until_the_last_stream_ends(
    make_store: Callable[[], Store],
) -> None:
    store, other = make_store(), make_store()
    first, second = (store.presence.open(GAME, "ada") for _ in range(2))
    elsewhere = other.presence.open(GAME, "ada")
    assert other.presence.read(GAME) == Present(frozenset({"ada"}), 0)
    first()
    second()
    assert store.presence.read(GAME).players == {"ada"}
    elsewhere()
    assert store.presence.read(GAME) == Present(frozenset(), 0)


def test_the_readers_of_a_process_that_dies_are_gone_after_a_while(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    store, other = make_store(), make_store()
    store.presence.open(GAME, "ada")
    clock.advance(GONE_MS + 1)
    assert other.presence.read(GAME).players == frozenset()


def test_the_pulse_keeps_those_who_stay_and_counts_the_others(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    store, other = make_store(), make_store()
    streams = {GAME: 3}
    store.presence.open(GAME, "ada")
    for _ in range(4):
        store.presence.flush(streams)
        assert other.presence.read(GAME) == Present(frozenset({"ada"}), 2)
        clock.advance(EVERY_MS)
    streams[GAME] = 2
    store.presence.flush(streams)
    assert other.presence.read(GAME).others == 1
    del streams[GAME]
    clock.advance(EVERY_MS)
    store.presence.flush(streams)
    assert other.presence.read(GAME).others == 0


def test_the_pulse_signals_another_number_of_watchers_once(
    make_store: Callable[[], Store], clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store()
    signals: list[bytes] = []
    told = SimpleNamespace(publish_to_game=lambda _game, _name, text: signals.append(text))
    monkeypatch.setattr(store.presence, "_signals", told)
    for watchers, number in ((2, 1), (2, 1), (3, 2), (3, 2)):
        store.presence.flush({GAME: watchers})
        assert len(signals) == number
        assert signals[-1] == b'{"players":[],"others":%d}' % watchers
        clock.advance(EVERY_MS)


def test_a_store_that_fails_costs_the_signal_only(
    make_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store()

    def fail(*_: object, **__: object) -> None:
        raise Unreachable

    with monkeypatch.context() as patched:
        patched.setattr(store.redis, "zadd", fail)
        close = store.presence.open(GAME, "ada")
    store.presence.flush({GAME: 1})
    assert store.presence.read(GAME).players == {"ada"}
    close()
    assert store.presence.read(GAME).players == frozenset()


def test_a_clock_that_jumps_back_keeps_nobody_from_being_written(
    make_store: Callable[[], Store], clock: FakeClock
) -> None:
    store, other = make_store(), make_store()
    store.presence.note("ada")
    store.presence.flush({})
    clock.advance(-10 * EVERY_MS)
    store.presence.note("ada")
    store.presence.flush({})
    assert other.presence.last_seen("ada") == clock.now
