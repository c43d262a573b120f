"""Logical processes, and the strands in them: what a thread is to a process of the machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import greenlet

from simulation.world.releases import LoadedRelease

SimulatedWorld = Any
"""`simulation.world.world.SimulatedWorld`, which knows this module."""

MILLION = 1_000_000


class Halted(BaseException):
    """The logical process of this strand was killed; raised again at each further step of it."""


class Process:
    """A logical process: clocks and randomness of its own, and what it has opened.

    `ahead` is how far the wall clock is ahead, in ns; `drift` how many ns a million ns are longer
    for it; `paused_until` the virtual time until which no strand of it goes on.
    """

    def __init__(self, world: SimulatedWorld, name: str, pid: int, forgiven: bool) -> None:
        self.world, self.name, self.pid, self.forgiven = world, name, pid, forgiven
        self.strands: dict[Strand, None] = {}
        """In the order in which they were started: a set would have none."""
        self.entropy = random.Random(f"{world.seed}/{name}/{pid}")
        self.is_halted = False
        self.failure: BaseException | None = None
        self.paused_until = 0
        self.ahead = 0
        self.drift = 0
        self.at_end: dict[Callable[[], None], None] = {}
        """What is closed when the process ends."""
        self.release: LoadedRelease | None = None
        """The release whose code it runs, None for that of today."""
        self.own: dict[object, Any] = {}
        """What lies in a global variable of the real process, by what stands for the variable."""

    def use_release(self) -> AbstractContextManager[None]:
        """Let the package be the release of this process."""
        return nullcontext() if self.release is None else self.release.active()

    def is_alive(self) -> bool:
        """Return whether a strand goes on that is no daemon: without one a process ends."""
        return any(strand.thread is None or not strand.thread.daemon for strand in self.strands)

    def find_drift(self, now: int) -> int:
        """Return how far a clock that never jumps is ahead, in ns."""
        return now * self.drift // MILLION

    def find_ahead(self, now: int) -> int:
        """Return how far the wall clock is ahead, in ns."""
        return self.ahead + self.find_drift(now)


class Strand:
    """A thread of a logical process; `token` counts its steps."""

    def __init__(
        self, world: SimulatedWorld, process: Process, name: str, body: Callable[[], Any]
    ) -> None:
        self.world, self.process, self.name = world, process, name
        self.token = 0
        self.waits_for = "its start"
        self.is_over = False
        self.ended: list[Callable[[], None]] = []
        """What is called when it is over."""
        self.thread: Any = None
        self.locals: dict[int, dict[str, Any]] = {}
        self._body = body
        self.greenlet = greenlet.greenlet(self._run, world.hub)

    def go_on_if(self, token: int, value: Any = None) -> Callable[[], None]:
        """Return what lets the strand go on with a value, unless it took a step since `token`."""

        def go_on() -> None:
            if self.token == token and not self.is_over:
                self.world.resume(self, value)

        return go_on

    def unwind(self) -> None:
        """End the strand where it is; no strand runs."""
        if self.is_over:
            return
        if not self.greenlet:  # it has never run
            self._finish()
            return
        self.world.current = self
        try:
            with self.process.use_release():
                self.greenlet.throw(Halted)
        finally:
            self.world.current = None

    def _run(self, _value: Any = None) -> None:
        try:
            self._body()
        except Halted:
            pass
        except BaseException as error:
            # A strand of its own ends as a thread does; the caller of the world looks at it.
            self.process.failure = error
            self.world.trace.note(self.world.now, self.process.name, f"ends: {error!r}")
            if not self.process.forgiven:
                raise
        finally:
            self._finish()

    def _finish(self) -> None:
        self.is_over = True
        self.process.strands.pop(self, None)
        for call in self.ended:
            call()
