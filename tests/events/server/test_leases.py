"""Leases: one holder at a time, who may think for as long as it lives."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable
from redis.lock import Lock

from cartulary.events.server import keys
from cartulary.events.server.leases import Leases
from cartulary.events.store import Store
from tests.support.polling import until

GAME, POSITION = "01J0GAME", 17
SHORT_S = 0.3
"""The life of a lease that is to expire."""

LONG_S = 2.0
"""The life of a lease that is to be renewed: a busy machine may stop a thread for a while."""


@pytest.fixture
def redis(store: Store) -> Redis:
    return store.redis


Make = Callable[..., Leases]


@pytest.fixture
def make(redis: Redis) -> Iterator[Make]:
    """Make the leases of one process, by default long ones; closed at the end."""
    made: list[Leases] = []

    def one(seconds: float = LONG_S, **more: Any) -> Leases:
        made.append(Leases(redis, seconds, **more))
        return made[-1]

    yield one
    for leases in made:
        leases.close()


def is_held(leases: Leases) -> bool:
    return leases.are_held([(GAME, POSITION)]) == [True]


def test_the_second_who_asks_sees_the_lease(make: Make) -> None:
    with make().hold(GAME, POSITION) as first, make().hold(GAME, POSITION) as second:
        assert first is not None
        assert second is None


def test_a_lease_is_released_at_the_end(make: Make, redis: Redis) -> None:
    leases = make()
    with leases.hold(GAME, POSITION):
        assert is_held(leases)
    assert redis.keys("*lease*") == []


def test_a_lease_is_released_when_the_work_fails(make: Make) -> None:
    leases = make()
    with pytest.raises(ZeroDivisionError), leases.hold(GAME, POSITION):
        raise ZeroDivisionError
    assert not is_held(leases)


def test_leases_are_of_one_game_and_one_position(make: Make) -> None:
    leases = make()
    with leases.hold(GAME, POSITION):
        others = [(GAME, POSITION), (GAME, POSITION + 1), ("01J0OTHER", POSITION)]
        assert leases.are_held(others) == [True, False, False]
    assert leases.are_held([]) == []


@pytest.mark.slow
def test_a_lease_is_renewed_while_its_holder_thinks(make: Make) -> None:
    leases = make()
    with leases.hold(GAME, POSITION):
        until_s = time.monotonic() + 1.5 * LONG_S
        while time.monotonic() < until_s:
            assert is_held(leases)
            sum(range(10_000))  # the holder does not sleep: it computes


def test_the_lease_of_a_killed_process_expires(make: Make, redis: Redis) -> None:
    name, leases = keys.lease(GAME, POSITION), make()
    dead = Lock(redis, name, timeout=60)
    assert dead.acquire(blocking=False)
    assert is_held(leases)
    assert 0 < redis.pttl(name) <= 60_000
    redis.pexpire(name, 1)  # the minute is over
    until(lambda: not is_held(leases))


def test_the_lease_of_a_holder_that_hangs_ends(make: Make) -> None:
    leases = make(SHORT_S, at_most=SHORT_S)
    with leases.hold(GAME, POSITION):
        until(lambda: not is_held(leases))


def test_who_lost_a_lease_does_not_release_that_of_the_next(
    make: Make, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = make(10), make(10)
    with first.hold(GAME, POSITION):
        redis.delete(keys.lease(GAME, POSITION))
        with second.hold(GAME, POSITION) as mine:
            assert mine is not None
            first_name = keys.lease(GAME, POSITION)
            token = redis.get(first_name)
            assert token is not None
            with first.hold(GAME, POSITION) as again:
                assert again is None
            assert redis.get(first_name) == token
        assert not is_held(first)
    assert "cannot be released" in caplog.text


@pytest.mark.slow
def test_a_lost_lease_is_not_taken_back_by_its_renewal(
    make: Make, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    leases, name = make(), keys.lease(GAME, POSITION)
    with leases.hold(GAME, POSITION):
        redis.set(name, "somebody else", px=60_000)
        until(lambda: "has expired while its holder works" in caplog.text)
        assert redis.get(name) == b"somebody else"
    assert redis.get(name) == b"somebody else"


@pytest.mark.slow
def test_a_server_that_is_away_for_a_moment_costs_no_lease(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    leases = make()
    renew, refusals = Lock.reacquire, [1]

    def sometimes(lock: Lock) -> Any:
        if refusals:
            refusals.pop()
            raise Unreachable("away")
        return renew(lock)

    monkeypatch.setattr(Lock, "reacquire", sometimes)
    with leases.hold(GAME, POSITION):
        time.sleep(1.5 * LONG_S)
        assert is_held(leases)
    assert "cannot be renewed: away" in caplog.text


def test_a_lease_that_cannot_be_released_fails_nobody_s_work(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(lock: Lock) -> NoReturn:
        raise Unreachable("away")

    leases = make(SHORT_S)
    monkeypatch.setattr(Lock, "release", away)
    with leases.hold(GAME, POSITION) as mine:
        assert mine is not None
    until(lambda: not is_held(leases))


def test_of_many_at_once_one_gets_the_lease(make: Make) -> None:
    leases = make(10)

    def attempt(number: int) -> bool:
        with leases.hold(GAME, POSITION) as mine:
            if mine is not None:
                time.sleep(0.3)
            return mine is not None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


@pytest.mark.slow
def test_a_lease_whose_position_has_passed_expires_by_itself(make: Make) -> None:
    leases = make()
    with leases.hold(GAME, POSITION) as lease:
        assert lease is not None
        lease.let_expire()
    assert is_held(leases)
    until(lambda: not is_held(leases))
