"""The event loop of a web process: ready sockets, jobs from threads, and deadlines."""

from __future__ import annotations

import logging
import os
import selectors
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

log = logging.getLogger("cartulary.service")

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
TICK = 0.25
"""Seconds between looks at the deadlines; so much later than its deadline something may end."""
TURN = 0.005
"""Seconds of jobs in one turn: a message to ten thousand streams lets others in between."""


class Ready(Protocol):
    """Something with a descriptor that the loop watches."""

    def ready(self, mask: int) -> None:
        """Read or write: the descriptor is ready for it."""


class Timed(Protocol):
    """Something with a deadline."""

    deadline: float
    tick: int
    """The slot of the wheel that looks at it next; 0: no slot does."""

    def expire(self) -> None:
        """Do what is due: the deadline has passed."""


class DeadlineWheel:
    """Deadlines in slots of `TICK` seconds: setting a deadline costs no system call and no order.

    A deadline that is moved into the future stays in its slot; the slot moves it on when it is due.
    So a connection whose deadline changes with each request costs one look in many seconds.
    """

    def __init__(self, now: float) -> None:
        self._slots: dict[int, list[Timed]] = {}
        self._passed = int(now / TICK)

    def set(self, timed: Timed, deadline: float) -> None:
        """Set or move a deadline."""
        timed.deadline = deadline
        if deadline == NEVER:
            return
        tick = max(int(deadline / TICK) + 1, self._passed + 1)
        if timed.tick and timed.tick <= tick:
            return
        timed.tick = tick
        self._slots.setdefault(tick, []).append(timed)

    def advance(self, now: float) -> None:
        """Expire what is due."""
        reached = int(now / TICK)
        while self._passed < reached:
            self._passed += 1
            for timed in self._slots.pop(self._passed, ()):
                if timed.tick == self._passed:
                    timed.tick = 0
                    self._look(timed, now)

    def _look(self, timed: Timed, now: float) -> None:
        if timed.deadline > now:
            self.set(timed, timed.deadline)
        else:
            timed.expire()


NEVER = float("inf")


class EventLoop:
    """One thread that waits for all sockets; `call` is for every thread, the rest for its own."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._selector = selectors.DefaultSelector()
        self._jobs: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._awake = True
        self.now = clock()
        self.wheel = DeadlineWheel(self.now)
        self._reader, self._writer = os.pipe()
        for end in (self._reader, self._writer):
            os.set_blocking(end, False)
        self.watch(self._reader, READ, _Drained(self._reader))

    def call(self, job: Callable[..., object], *arguments: Any) -> None:
        """Have the loop run a job, after all that were given to it before."""
        self._jobs.append((job, arguments))
        if not self._awake:
            self._awake = True
            self.wake()

    def call_first(self, job: Callable[..., object], *arguments: Any) -> None:
        """Have the loop run a job before all others: the rest of a job that has run too long."""
        self._jobs.appendleft((job, arguments))

    @property
    def late(self) -> bool:
        """Return whether this turn has lasted so long that the other sockets come first."""
        return self._clock() > self.now + TURN

    @property
    def busy(self) -> bool:
        """Return whether jobs wait."""
        return bool(self._jobs)

    def wake(self) -> None:
        """Make the loop turn."""
        try:
            os.write(self._writer, b"!")
        except BlockingIOError:
            return  # the pipe is full of wake-ups that it has yet to notice

    def watch(self, file: Any, events: int, ready: Ready) -> None:
        """Begin to watch a descriptor."""
        self._selector.register(file, events, ready)

    def change(self, file: Any, events: int, ready: Ready) -> None:
        """Watch a descriptor for other events."""
        self._selector.modify(file, events, ready)

    def forget(self, file: Any) -> None:
        """Watch a descriptor no more."""
        self._selector.unregister(file)

    def turn(self, most: float) -> None:
        """Wait up to `most` seconds for something to do, and do it."""
        self._awake = False
        ready = self._selector.select(0 if self._jobs else most)
        self._awake = True
        self.now = self._clock()
        for key, mask in ready:
            try:
                key.data.ready(mask)
            except Exception:  # one connection must not end all others
                log.exception("a connection has failed")
                self._close(key.data)
        self._work()
        self.wheel.advance(self.now)

    def _work(self) -> None:
        enough = self._clock() + TURN
        while self._jobs:
            job, arguments = self._jobs.popleft()
            try:
                job(*arguments)
            except Exception:
                log.exception("a job of the loop has failed")
            if self._clock() > enough:
                return

    def _close(self, failed: Any) -> None:
        close = getattr(failed, "close", None)
        if close is not None:
            close()

    def close(self) -> None:
        """Free the descriptors of the loop."""
        self._selector.close()
        os.close(self._reader)
        os.close(self._writer)


class _Drained:
    """A pipe whose bytes mean nothing but that there is something to do."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def ready(self, mask: int) -> None:
        try:
            os.read(self._descriptor, 4096)
        except BlockingIOError:
            return


def make_drain(descriptor: int) -> Ready:
    """Return what empties a pipe that only wakes the loop."""
    return _Drained(descriptor)
