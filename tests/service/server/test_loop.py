"""The event loop: deadlines and jobs."""

from __future__ import annotations

import select
import socket
import threading

import pytest

from cartulary.service.server import loop as looping
from cartulary.service.server.loop import NEVER, READ, TICK, DeadlineWheel, EventLoop


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Alarm:
    def __init__(self) -> None:
        self.deadline, self.tick = NEVER, 0
        self.rung = 0

    def expire(self) -> None:
        self.rung += 1


@pytest.fixture
def wheel() -> DeadlineWheel:
    return DeadlineWheel(1000.0)


def advance(wheel: DeadlineWheel, begin: float, seconds: float) -> float:
    """Turn the wheel as the loop does; the moment at which it is left."""
    now = begin
    while now < begin + seconds:
        now += TICK / 2
        wheel.advance(now)
    return now


def test_a_deadline_expires_once_soon_after_it(wheel: DeadlineWheel) -> None:
    alarm = Alarm()
    wheel.set(alarm, 1010.0)
    advance(wheel, 1000.0, 9.9)
    assert alarm.rung == 0
    advance(wheel, 1010.0, 2 * TICK)
    assert alarm.rung == 1
    advance(wheel, 1010.5, 100)
    assert alarm.rung == 1


def test_a_deadline_may_move_both_ways(wheel: DeadlineWheel) -> None:
    later, sooner = Alarm(), Alarm()
    for alarm in (later, sooner):
        wheel.set(alarm, 1010.0)
    wheel.set(later, 1020.0)
    wheel.set(sooner, 1005.0)
    advance(wheel, 1000.0, 6)
    assert (later.rung, sooner.rung) == (0, 1)
    advance(wheel, 1006.0, 13)
    assert (later.rung, sooner.rung) == (0, 1)
    advance(wheel, 1019.0, 2)
    assert (later.rung, sooner.rung) == (1, 1)


def test_a_deadline_that_is_taken_away_never_expires(wheel: DeadlineWheel) -> None:
    alarm = Alarm()
    wheel.set(alarm, 1010.0)
    alarm.deadline = NEVER
    advance(wheel, 1000.0, 100)
    assert alarm.rung == 0
    wheel.set(alarm, 1105.0)
    advance(wheel, 1100.0, 10)
    assert alarm.rung == 1


def test_a_deadline_in_the_past_expires_with_the_next_tick(wheel: DeadlineWheel) -> None:
    alarm = Alarm()
    wheel.set(alarm, 1.0)
    advance(wheel, 1000.0, 2 * TICK)
    assert alarm.rung == 1


def test_a_deadline_that_never_comes_takes_no_slot(wheel: DeadlineWheel) -> None:
    alarm = Alarm()
    wheel.set(alarm, NEVER)
    advance(wheel, 1000.0, 10)
    assert alarm.rung == 0


def test_jobs_run_in_order_and_a_rest_before_all_others() -> None:
    loop, done = EventLoop(), list[str]()

    def begin() -> None:
        done.append("begin")
        loop.call_first(done.append, "rest")

    loop.call(begin)
    loop.call(done.append, "later")
    loop.turn(0)
    assert done == ["begin", "rest", "later"]
    loop.close()


def test_a_long_row_of_jobs_lets_sockets_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    loop, done = EventLoop(clock), list[int]()

    def long(number: int) -> None:
        clock.now += looping.TURN
        done.append(number)

    for number in range(6):
        loop.call(long, number)
    loop.turn(10)
    assert 0 < len(done) < 6
    while len(done) < 6:
        loop.turn(10)  # it does not wait: there is work
    assert done == [*range(6)]
    loop.close()


def test_a_job_from_another_thread_wakes_the_loop() -> None:
    loop, ran = EventLoop(), threading.Event()
    threading.Timer(0.1, loop.call, [ran.set]).start()
    while not ran.is_set():
        loop.turn(30)
    loop.close()


def test_a_job_or_a_connection_that_fails_ends_nothing_else() -> None:
    loop, done = EventLoop(), list[str]()

    class Broken:
        closed = False

        def ready(self, mask: int) -> None:
            raise RuntimeError("broken")

        def close(self) -> None:
            self.closed = True
            loop.forget(ours)

    ours, theirs = socket.socketpair()
    broken = Broken()
    with ours, theirs:
        loop.watch(ours, READ, broken)
        theirs.send(b"x")
        loop.call(int, "x")
        loop.call(done.append, "well")
        loop.turn(1)
        loop.turn(0)  # the log may have taken the rest of the first turn
    assert broken.closed
    assert done == ["well"]
    loop.close()


def test_a_wake_up_ends_the_wait_for_sockets() -> None:
    loop = EventLoop()
    try:
        reader = loop._reader  # noqa: SLF001
        assert select.select([reader], [], [], 0)[0] == []
        loop.wake()
        assert select.select([reader], [], [], 0)[0] == [reader]
    finally:
        loop.close()
