"""The pulse of a web process: it notes its heartbeat all the time (`events.time.outages`).

The first heartbeat comes before the first request is served, and with each heartbeat the process
reads the outages again: so no move is measured without the outage that has just ended.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf
from threading import Event, Thread

from redis import RedisError

from cartulary.events.archive.errors import ForeignArchive
from cartulary.events.backup.proven import read_last_proven
from cartulary.events.live.live import Hub
from cartulary.events.mining.log import MiningLog
from cartulary.events.model.time.intervals import measure
from cartulary.events.notices.waiting import count_waiting
from cartulary.events.server.conditions import ServerRoom, read_durability, read_rooms
from cartulary.events.server.format import UnusableStore
from cartulary.events.store import Store
from cartulary.events.time.outages import EVERY_S
from cartulary.service.process.metrics import Metrics

RETRY_S = 0.5
"""Pause when the store does not answer: moves wait for it as well."""

FIRST_WITHIN_S = 3.0
"""A process that starts waits for its first heartbeat for so long at most."""

log = logging.getLogger("cartulary.service")


class Pulse:
    """The thread that notes the heartbeat; `report` is called after each."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        every: float = EVERY_S,
        report: Callable[[], object] = lambda: None,
    ) -> None:
        self._store, self._hub, self._every, self._report = store, hub, every, report
        self._stopping, self._beaten = Event(), Event()
        self._silent = self._failing = False
        self._thread = Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        """Note the heartbeat from now on in a thread, and wait for the first."""
        self._store.outages.start_beating()
        self._thread.start()
        self._beaten.wait(FIRST_WITHIN_S)

    def stop(self) -> None:
        """End the thread; waits for a heartbeat under way for a second at most."""
        self._stopping.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            pause = self._beat()
            self._beaten.set()

    def _beat(self) -> float:
        """Note a heartbeat; return how long to wait for the next, in seconds."""
        try:
            self._store.claim()
            self._store.calendar.look()
            self._store.presence.flush(self._hub.count_watchers())
            self._store.attendance.flush()
            self._store.lobby.flush()
            self._store.show_life("web")
            self._report()
        except (RedisError, UnusableStore) as error:
            if not self._silent:
                log.warning("no heartbeat, trying again: %s", error)
            self._silent = True
            return RETRY_S
        except Exception:
            # Nothing restarts this thread, and a process without heartbeats counts as down.
            if not self._failing:
                log.exception("the pulse has failed, trying again")
            self._failing = True
            return self._every
        self._silent = self._failing = False
        return self._every


def start_pulse(store: Store, hub: Hub, metrics: Metrics, durability: str = "") -> Pulse:
    """Start the pulse of this process, which shows the figures of the installation in the metrics.

    `durability` is what `serve` has chosen; without it the server of the store is asked.
    """
    told = set[tuple[str, str]]()

    def report() -> None:
        show_timekeeping(store, metrics)
        metrics.show_durability(durability or read_durability(store.redis))
        rooms = read_rooms(store.redis, store.registry)
        metrics.show_rooms(rooms)
        _warn_of_eviction(rooms, told)

    pulse = Pulse(store, hub, report=report)
    pulse.start()
    return pulse


def _warn_of_eviction(rooms: Mapping[str, ServerRoom], told: set[tuple[str, str]]) -> None:
    """Tell of each server that removes keys when its memory is full, once; `told` are those."""
    for name, room in rooms.items():
        if room.evicts and (name, room.policy) not in told:
            told.add((name, room.policy))
            log.error(
                "%s removes keys when its memory is full (maxmemory-policy %s), so games get lost:"
                " set noeviction",
                name,
                room.policy,
            )


def show_timekeeping(store: Store, metrics: Metrics) -> None:
    """Show in the metrics what the store says about what waits, flags, outages and analyses."""
    backlog, outages = store.heartbeats.read(), store.outages.read()
    figures = {
        "queue_age_seconds": 0.0 if backlog is None else backlog.queue_age,
        "dispatcher_silent_seconds": inf if backlog is None else backlog.age,
        "outbox_age_seconds": store.outbox.read_age(),
        "timers_late": 0 if backlog is None else backlog.timers,
        "timer_late_seconds": 0.0 if backlog is None else backlog.timer_age,
        "outages": len(outages),
        "outage_seconds": measure(outages) / 1000,
    }
    metrics.show_timekeeping(figures, store.commands.timeouts.read_counts())
    metrics.show_analyses(store.analyses.read_counts())
    metrics.show_notices(
        {
            **count_waiting(store.registry, store.clock.now_ms()),
            **store.notice_log.read_counts(),
            "questions": store.bot_questions.waiting.count(),
        }
    )
    archive = store.archive_state.read()
    metrics.show_archive(
        {
            "archived": archive.archived,
            "failed": archive.failed_in_all,
            "failing": archive.failures,
            "foreign": archive.problem == ForeignArchive.problem,
        }
    )
    mined = MiningLog(store.registry).read()
    metrics.show_mining(
        {
            "games": mined.games,
            "puzzles": mined.puzzles,
            "passed": mined.passed,
            "seconds": mined.cpu_ms / 1000,
        }
    )
    metrics.show_proven_backup(_measure_proven_age(store))
    if backlog is not None:
        metrics.show_queues(backlog.by_queue)
    metrics.heartbeat_time.set(store.clock.now_ms() / 1000)


def _measure_proven_age(store: Store) -> float:
    """Return the seconds since the last proven backup; infinite without one that can be read."""
    try:
        proven = read_last_proven(store.registry)
    except ValueError as error:
        log.warning("%s", error)
        return inf
    return inf if proven is None else max(0.0, (store.clock.now_ms() - proven.at) / 1000)
