"""The job that mines archived games for puzzles, and the part that enqueues the job.

No person waits for it, so it gives way to every other job: it is enqueued when the queue of the
lowest priority is empty, does nothing when a job waits, and ends as soon as one comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from cartulary.events.mining.log import MiningLog
from cartulary.events.puzzles.records import DAY_MS
from cartulary.events.store import Store
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.low_priority_poll import Looking, put_job
from cartulary.workers.queues.queues import Queues
from cartulary.workers.thinking.interrupting import Interrupted, interrupt_when
from cartulary.workers.wiring import find_queues, list_offers, provided

JOB: Final = "cartulary.workers.mining.mine_some"
NAME: Final = "mine"
"""What the ids of these jobs begin with."""

EVERY_S: Final = 1.0
"""How often the dispatcher enqueues a job."""

SLICE_S: Final = 0.25
"""A slice takes no further question after so many seconds: a quarter of a core in all."""

LOOK_EVERY_S: Final = 0.005
"""How often a slice looks whether a job waits, in seconds of CPU: it costs three hundredths."""

MOST_S: Final = 21_600
"""The seconds of CPU that the slices of a day can use."""

NOTE_EVERY_MS: Final = 60_000
"""How often the dispatcher notes what it allows, for `status` and the doctor."""

PLACE: Final = "mining"
"""The name under which a miner holds its lease, in place of the id of a game."""


def mine_some(allowed_s: int) -> int:
    """Look at some questions of archived games; returns how many puzzles are new.

    Does nothing while another worker mines, any job waits, or today's `allowed_s` seconds of CPU
    are used.
    """
    # Imported here: the bots that judge take longer than all else that a worker imports.
    from cartulary.events.mining.miner import Miner, MiningSlice

    store, queues = provided(), find_queues()
    if not store.archive.is_set or _does_any_wait(queues):
        return 0
    left = measure_left(store, allowed_s)
    with store.leases.hold(PLACE, 0) as lease:
        if lease is None or left <= 0:
            return 0
        used, until = CpuWatch(), time.monotonic() + SLICE_S
        slice_ = MiningSlice(
            lambda: used.read_ms() >= left or time.monotonic() >= until or _does_any_wait(queues),
            used.read_ms,
            lambda look: try_to(look, lambda: _does_any_wait(queues)),
        )
        return Miner(store, list_offers()).run(slice_)


def _does_any_wait(queues: Queues | None) -> bool:
    return queues is not None and queues.does_any_wait(but=NAME)


def measure_left(store: Store, allowed_s: int) -> int:
    """Return the CPU (ms) that mining may use today."""
    today = store.clock.now_ms() // DAY_MS
    return 1000 * allowed_s - MiningLog(store.registry).read().read_spent(today)


def try_to(look: Callable[[], None], is_wanted: Callable[[], bool]) -> bool:
    """Call a function without effects; return whether it ended before `is_wanted`."""
    try:
        with interrupt_when(is_wanted, LOOK_EVERY_S):
            look()
    except Interrupted:
        return False
    return True


class CpuWatch:
    """The CPU of this thread since the watch was made."""

    def __init__(self) -> None:
        self._began = time.thread_time_ns()

    def read_ms(self) -> int:
        """Return the CPU in ms."""
        return (time.thread_time_ns() - self._began) // 1_000_000


class MiningFeeder(Looking):
    """Enqueues a job every second, while CPU of today is left and no other work is there.

    `allowed_s`, which the entry point sets, are the seconds of CPU that it may use on a day.
    """

    every_s = EVERY_S
    allowed_s = 0
    _noted_at = 0

    def run(self) -> int:
        """Enqueue a job; returns the number of new jobs. Asks nothing where mining is off."""
        if not self.allowed_s or not self._store.archive.is_set:
            return 0
        log, now = MiningLog(self._store.registry), self._store.clock.now_ms()
        if now >= self._noted_at + NOTE_EVERY_MS:
            log.note_allowed(self.allowed_s, now)
            self._noted_at = now
        # A question may take longer than a slice.
        if self._queues.analysis.count or self._store.leases.are_held([(PLACE, 0)])[0]:
            return 0
        report = log.read_report(now)
        spent = report.state.read_spent(now // DAY_MS)
        if spent >= 1000 * self.allowed_s or report.state.idle_until > now:
            return 0
        if not report.waits_since:
            log.note_waiting(now)
        return int(put_job(self._queues.analysis, JOB, f"{NAME}-{now_ms()}", self.allowed_s))
