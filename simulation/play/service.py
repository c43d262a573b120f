"""The processes of the service, as `cartulary serve` starts them: their own entry points."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from typing import Any

from redis.exceptions import BusyLoadingError
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as TooSlow

from cartulary.events.model.failures import InvariantBroken
from cartulary.events.model.offers import Offers
from cartulary.events.people import recovery
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers import analysing, archiving, dispatcher, jobs, wiring, worker
from cartulary.workers.notices import notifier
from cartulary.workers.thinking.analysis_in_memory import Walks
from cartulary.workers.thinking.busy_since import Shift
from simulation.play.target import SimulatedSender
from simulation.world.connection import URL
from simulation.world.looping import WorldLoops
from simulation.world.releases import LoadedRelease
from simulation.world.world import SECOND, SimulatedWorld, find_strand

RESTARTED_WITHIN_S = 3
"""Seconds within which a process that has ended is started again."""


def prepare_environment() -> None:
    """Set what the processes read from the environment."""
    os.environ.update(
        CARTULARY_EVENTS_URL=URL, CARTULARY_SECRET="5a" * 32, CARTULARY_LOG_LEVEL="WARNING"
    )
    wiring_globals: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("_stores", list),
        ("_queues", list),
        ("_quick_only", list),
    )
    setattr(notifier, "Sender", SimulatedSender)  # noqa: B010
    asyncio.set_event_loop_policy(WorldLoops())
    # The price of a recovery code is not what is tried here.
    setattr(recovery, "COST", 4)  # noqa: B010
    from simulation.world.own_globals import separate

    for name, make in wiring_globals:
        separate(wiring, name, make)
    separate(wiring, "shift", Shift, jobs)
    separate(wiring, "walks", Walks, analysing)
    # Each process would set up the log of the interpreter, which they share here.
    for module in (dispatcher, notifier, worker):
        setattr(module, "configure_logging", lambda: None)  # noqa: B010
    logging.basicConfig(level=logging.WARNING, handlers=[TRACED], force=True)


class TraceHandler(logging.Handler):
    """Writes the log of the service into the trace; a defect that it notices is a finding."""

    complain: Callable[[str], None] = staticmethod(lambda _line: None)
    """Takes a line about an invariant that is broken."""

    def createLock(self) -> None:  # noqa: N802
        """Need no lock: no strand gives way here."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        """Note a line for the story."""
        strand = find_strand()
        if strand is not None:
            world = strand.world
            text = record.getMessage().partition("\n")[0][:200]
            world.trace.note(world.now, strand.name, f"logs: {text}")
            if broken := _find_broken(record):
                self.complain(f"an invariant is broken: {broken}")


TRACED = TraceHandler()


def _find_broken(record: logging.LogRecord) -> str:
    """Return what a line of the log says of a broken invariant, '' for any other line."""
    if record.exc_info and isinstance(record.exc_info[1], InvariantBroken):
        return str(record.exc_info[1])
    # A worker of RQ writes the whole exception of a job as text.
    return record.getMessage().partition("InvariantBroken: ")[2].partition("\n")[0]


def open_store(settings: StoreSettings, offers: Offers) -> Store:
    """Open the store as each process does."""
    return Store.open(settings, offers)


def open_own_store() -> Store:
    """Open the store with the settings of the environment."""
    return open_store(StoreSettings.from_env(), OFFERS)


Choose = Callable[[str, Callable[[], Any]], tuple[Callable[[], Any], LoadedRelease | None]]


class ProcessKeeper:
    """Starts processes of the service and, when they have ended, starts them again."""

    def __init__(self, world: SimulatedWorld) -> None:
        self.world = world
        self.bodies: dict[str, Callable[[], Any]] = {}
        self.is_over = False
        self.restarts = 0
        self.complain: Callable[[str], None] = lambda _line: None
        """Takes a line about a process that has ended by an exception."""
        self.choose: Choose = lambda _name, body: (body, None)
        """Says what a process does when it starts, and of which release it is."""

    def keep(self, name: str, body: Callable[[], Any]) -> None:
        """Keep a process at work."""
        self.bodies[name] = body
        chosen, release = self.choose(name, body)
        self.world.start(name, chosen).release = release
        self._look_later(name)

    def _look_later(self, name: str) -> None:
        self.world.at(SECOND // 4, lambda: self._look(name))

    def _look(self, name: str) -> None:
        if self.is_over:
            return
        process = self.world.processes.get(name)
        if process is not None and process.is_alive():
            self._look_later(name)
            return
        if process is not None:  # it has ended by itself
            # A worker that loses the store ends, and `serve` or systemd starts it again; one that
            # ends because the store loads would do so again and again.
            lost, loads = isinstance(process.failure, Unreachable | TooSlow), BusyLoadingError
            if not lost or isinstance(process.failure, loads):
                self.complain(f"{name} ends by itself: {process.failure!r}")
            self.world.halt(process)
        self.restarts += 1
        pause = self.world.choose(RESTARTED_WITHIN_S * SECOND)
        self.world.at(pause, lambda: self._start(name))

    def _start(self, name: str) -> None:
        if not self.is_over:
            self.world.trace.note(self.world.now, name, "starts again")
            self.keep(name, self.bodies[name])


def run_dispatcher() -> None:
    """Be a dispatcher."""
    dispatcher.main(open_store)


def run_notifier() -> None:
    """Be the notifier."""
    notifier.main(open_store)


def run_fast_worker() -> None:
    """Be a worker for quick jobs."""
    worker.main(["--fast"], open_store)


def run_worker() -> None:
    """Be a worker for all jobs."""
    worker.main([], open_store)


_ = archiving
