"""The job that counts newly archived games for the explorer, and the part that enqueues the job.

No person waits for it: it is in the queue of the lowest priority, and ends when people wait.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from cartulary.events.archive.errors import ArchiveError
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.low_priority_poll import Looking, put_job
from cartulary.workers.wiring import do_people_wait, provided

JOB: Final = "cartulary.workers.exploring.explore_some"
NAME: Final = "explore"
"""What the ids of these jobs begin with."""

EVERY_S: Final = 60.0
"""How often the dispatcher enqueues a job: no person waits for the newest games."""

SLICE_S: Final = 2.0
"""Seconds after which a job counts no further batch: three hundredths of a core."""

PLACE: Final = "explorer"
"""The name under which a builder holds its lease, in place of the id of a game."""

log = logging.getLogger("cartulary.explorer")


def explore_some() -> int:
    """Count newly archived games for a moment; returns how many.

    Does nothing while another builder of a worker works.
    """
    store = provided()
    if not store.explorer.is_set or not store.archive.is_set:
        return 0
    until = time.monotonic() + SLICE_S
    try:
        with store.leases.hold(PLACE, 0) as lease:
            if lease is None:
                return 0
            builder = store.explorer.make_builder()
            return builder.follow(
                store.explorer.book, lambda: time.monotonic() >= until or do_people_wait()
            ).added
    except ArchiveError as error:
        # The next job tries again: the counts lose nothing.
        log.error("no game is counted: %s", error)  # noqa: TRY400 - the message names the cause
        return 0


class ExplorerFeeder(Looking):
    """Enqueues a job every minute where there is an explorer, unless one waits."""

    every_s = EVERY_S

    def run(self) -> int:
        """Enqueue a job; returns the number of new jobs."""
        store = self._store
        if not store.explorer.is_set or not store.archive.is_set:
            return 0
        queue = self._queues.analysis
        if any(one.startswith(f"{NAME}-") for one in queue.job_ids):
            return 0
        return int(put_job(queue, JOB, f"{NAME}-{now_ms()}"))
