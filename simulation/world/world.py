"""The world: one heap of what happens next, and strands of which exactly one runs.

A strand is a thread of a logical process. It runs until it waits: for an answer, a lock, a time.
What is due is taken from the heap in the order of virtual time; the seed chooses how long each step
takes, and so who goes on. Nothing here reads the clock of the machine.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import Any, Final

import greenlet

from simulation.world.processes import Halted, Process, Strand
from simulation.world.trace import Trace

SECOND: Final = 1_000_000_000
"""Nanoseconds: the unit of virtual time."""

READ_TAKES: Final = 1_000
"""Nanoseconds that a look at the clock takes: a loop that waits for a time ends."""

GIVES_WAY: Final = 8
"""One in so many looks at the clock and locks that are free lets others go on before."""

COLLECTED_EVERY: Final = 20_000
"""Steps between two collections of what is new and garbage."""

ALL_EVERY: Final = 15
"""One in so many collections looks at what is old as well: journals and modules only grow."""

LOOKS_EVERY: Final = 1_000
"""Steps between two looks at the world from outside."""

Happening = Callable[[], None]


class Deadlock(Exception):
    """Nothing is due any more and a strand waits."""


class SimulatedWorld:
    """Virtual time from 0, in ns. `epoch` is the wall clock's time then, in ns since the epoch."""

    def __init__(self, seed: str, epoch: int) -> None:
        self.seed, self.epoch = seed, epoch
        self.now = 0
        self.steps = 0
        self.trace = Trace()
        self.processes: dict[str, Process] = {}
        self.current: Strand | None = None
        self._order = random.Random(f"{seed}/order")
        self._entropy = random.Random(f"{seed}/entropy")
        self._heap: list[tuple[int, int, Happening]] = []
        self._count = 0
        self.hub: Any = greenlet.getcurrent()
        self._pids = 100
        self._collect_at = self._collected = 0
        self._look_at = LOOKS_EVERY
        self.look: Callable[[], None] = lambda: None
        """Called now and then between two steps; it must change nothing (`aside`)."""
        _worlds[:] = [self]

    # -- time -----------------------------------------------------------------------------------

    def read_wall(self) -> int:
        """Return the wall clock of the process that runs, in ns since the epoch."""
        strand = self.current
        if strand is None:
            return self.epoch + self.now
        self._look(strand)
        return self.epoch + self.now + strand.process.find_ahead(self.now)

    def read_monotonic(self) -> int:
        """Return the clock of the process that runs which never jumps, in ns."""
        strand = self.current
        if strand is None:
            return self.now
        self._look(strand)
        return self.now + strand.process.find_drift(self.now)

    def _look(self, strand: Strand) -> None:
        self.now += READ_TAKES
        if self._order.random() * GIVES_WAY < 1:
            self.give_way(strand)

    def give_way(self, strand: Strand | None = None) -> None:
        """Let the seed decide who goes on."""
        chosen = self.current if strand is None else strand
        if chosen is not None:
            self.at(self._order.randrange(20_000), chosen.go_on_if(chosen.token))
            self._park(chosen)

    def sleep(self, seconds: float) -> None:
        """Let the strand that runs wait."""
        strand = self.must_run()
        self.at(int(max(0.0, seconds) * SECOND) + self.jitter(), strand.go_on_if(strand.token))
        self._park(strand)

    def jitter(self) -> int:
        """Return the ns that a step takes more than it must."""
        return self._order.randrange(50_000)

    # -- what happens -----------------------------------------------------------------------------

    def at(self, delay: int, happening: Happening) -> None:
        """Let something happen after so many ns."""
        self._count += 1
        heappush(self._heap, (self.now + delay, self._count, happening))

    def run(self, until: Callable[[], bool], limit: int) -> bool:
        """Let things happen until `until` holds, or up to a time in ns; returns whether it holds.

        Raises `Deadlock`, and what a strand of a process that is not forgiven raises.
        """
        while not until():
            if not self._heap:
                raise Deadlock(self.describe_waiting())
            if self._heap[0][0] > limit:
                self.now = max(self.now, limit)
                return False
            due, _, happening = heappop(self._heap)
            self.now = max(self.now, due)
            happening()
            if self.steps >= self._collect_at:
                self._collect()
            if self.steps >= self._look_at:
                self._look_at = self.steps + LOOKS_EVERY
                self.look()
        return True

    def _collect(self) -> None:
        """Collect garbage, at the same steps in each run: what is collected may talk to others."""
        self._collect_at = self.steps + COLLECTED_EVERY
        if self._collected % ALL_EVERY:
            gc.collect(1)
        else:
            gc.collect()
        if not self._collected:
            gc.freeze()  # modules, and the world itself
        self._collected += 1

    @contextmanager
    def aside(self, rng: random.Random) -> Iterator[None]:
        """Let code of the product run outside of the world: whatever it draws comes from `rng`."""
        kept, drawn = (self._order, self._entropy), random.getstate()
        self._order = self._entropy = rng
        try:
            yield
        finally:
            self._order, self._entropy = kept
            random.setstate(drawn)

    def end(self) -> None:
        """Halt all processes; nothing happens any more."""
        for process in list(self.processes.values()):
            self.halt(process)
        self._heap.clear()

    def describe_waiting(self) -> str:
        """Say which strand waits for what."""
        waiting = [
            f"{strand.name} waits for {strand.waits_for}"
            for process in self.processes.values()
            for strand in process.strands
        ]
        return "; ".join(waiting) or "no strand waits"

    # -- processes and strands --------------------------------------------------------------------

    def start(self, name: str, body: Callable[[], Any], forgiven: bool = True) -> Process:
        """Start a logical process with one strand. The end of a `forgiven` one ends no world."""
        self._pids += 1
        process = Process(self, name, self._pids, forgiven)
        self.processes[name] = process
        self.spawn(process, name, body)
        return process

    def spawn(self, process: Process, name: str, body: Callable[[], Any]) -> Strand:
        """Start another strand of a process."""
        strand = Strand(self, process, name, body)
        process.strands[strand] = None
        self.at(self._order.randrange(20_000), strand.go_on_if(strand.token))
        return strand

    def halt(self, process: Process) -> None:
        """Kill a process: each of its strands ends where it is, and reaches no other any more."""
        process.is_halted = True
        if self.processes.get(process.name) is process:
            del self.processes[process.name]
        closing, process.at_end = process.at_end, {}
        for close in closing:
            close()
        if self.current is None:
            for strand in list(process.strands):
                strand.unwind()
        else:  # One strand runs: it ends at its next step, and the others when no strand runs.
            self.at(0, lambda: self.halt(process))

    def resume(self, strand: Strand, value: Any = None) -> None:
        """Let a strand run until it waits again; called by what happens, never by a strand."""
        process = strand.process
        if process.is_halted or strand.is_over:
            return
        if process.paused_until > self.now:
            self.at(process.paused_until - self.now, strand.go_on_if(strand.token, value))
            return
        self.steps += 1
        strand.token += 1
        self.trace.note_step(self.now, strand.name)
        self.current = strand
        try:
            if process.release is None:
                strand.greenlet.switch(value)
            else:
                with process.release.active():
                    strand.greenlet.switch(value)
        finally:
            self.current = None

    def must_run(self) -> Strand:
        """Return the strand that runs. Raises `RuntimeError` outside of the world."""
        if self.current is None:
            raise RuntimeError("only a strand of a logical process can wait")
        return self.current

    def wait(self, what: str, seconds: float | None = None) -> Any:
        """Let the strand that runs wait until `wake`; returns what it was woken with.

        `TOO_LATE` after so many seconds.
        """
        strand = self.must_run()
        strand.waits_for = what
        if seconds is not None:
            later = strand.go_on_if(strand.token, TOO_LATE)
            self.at(int(max(0.0, seconds) * SECOND), later)
        return self._park(strand)

    def wake(self, strand: Strand, token: int, value: Any = None, delay: int | None = None) -> None:
        """Let a strand go on that waits since `token`; not one that took a step since then."""
        self.at(self.jitter() if delay is None else delay, strand.go_on_if(token, value))

    def _park(self, strand: Strand) -> Any:
        if strand.process.is_halted:
            raise Halted
        value = self.hub.switch()
        self.current = strand
        if strand.process.is_halted:
            raise Halted
        return value

    def choose(self, count: int) -> int:
        """Return a number below `count`, which the seed chooses."""
        return self._order.randrange(count)

    def often(self) -> bool:
        """Return whether a step that needs no wait lets others go on before."""
        return self._order.random() * GIVES_WAY < 1

    def choose_entropy(self) -> random.Random:
        """Return the source of randomness of the process that runs."""
        return self._entropy if self.current is None else self.current.process.entropy


class WaitedTooLong:
    """What a strand is woken with when it has waited for too long."""


TOO_LATE: Final = WaitedTooLong()

_worlds: list[SimulatedWorld] = []


def find_world() -> SimulatedWorld | None:
    """Return the world that runs, None before there is one."""
    return _worlds[0] if _worlds else None


def find_strand() -> Strand | None:
    """Return the strand that runs, None outside of the logical processes."""
    return _worlds[0].current if _worlds else None
