"""The job that archives games and tournaments that are over, and the part that enqueues the job.

No person waits for it: it is in the queue of the lowest priority, and ends when people wait.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archiving.tending import tend_archive
from cartulary.events.store import Store
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.low_priority_poll import Looking, put_job
from cartulary.workers.wiring import do_people_wait, provided

JOB: Final = "cartulary.workers.archiving.archive_some"
NAME: Final = "archive"
"""What the ids of these jobs begin with."""

EVERY_S: Final = 2.0
"""How often the dispatcher looks for games to archive."""

CHECK_EVERY_S: Final = 60.0
"""After so long without a job the dispatcher enqueues a job, which checks the archive: a URL that
names another database is noticed also where no game waits."""

SLICE_S: Final = 0.15
"""Seconds after which a job takes no further batch: less than a tenth of a core, because moves need
the others."""

MANY: Final = 2000
"""The number of games that may wait; while more wait, a job takes `SLICE_OF_MANY_S`."""

SLICE_OF_MANY_S: Final = 1.0

BATCH: Final = 10
"""Games that a job writes in one transaction: short ones, so that it ends in time."""

QUICK_BYTES: Final = 2**30
"""A table of this size, that of two million games, is looked at in some seconds. A larger one waits
for `cartulary archive`, because a job has to end."""

PLACE: Final = "archiver"
"""The name under which an archiver holds its lease, in place of the id of a game."""

log = logging.getLogger("cartulary.archive")


def archive_some() -> int:
    """Archive games and tournaments for a moment; returns how many.

    Does nothing while another archiver works. Where nothing waits, checks that the archive answers
    and is that of the store.
    """
    store = provided()
    try:
        if store.archive_after is None:
            store.make_archiver().check()
            return 0
        before = store.clock.now_ms() - 1000 * store.archive_after
        with store.leases.hold(PLACE, 0) as lease:
            return 0 if lease is None else archive_until(store, before, do_people_wait)
    except ArchiveError as error:
        # The store has a note of it: the dispatcher waits before it enqueues the next job.
        log.error("no game is archived: %s", error)  # noqa: TRY400 - the message names the cause
        return 0


def archive_until(store: Store, before: int, is_wanted: Callable[[], bool]) -> int:
    """Archive what ended before a moment (ms since the epoch), until people wait.

    Tournaments first: there are few of them. Raises `ArchiveError`, `RedisError`.
    """
    level = store.commands.writer.level.read()
    tend_archive(store.archive, level, store.clock.now_ms(), QUICK_BYTES)
    archiver, archived = store.make_archiver(), 0
    waiting = count_waiting(store, before)
    if not waiting:
        archiver.check()
    until = time.monotonic() + (SLICE_S if waiting <= MANY else SLICE_OF_MANY_S)
    for run in (store.tournaments.make_archiver().run, archiver.run):
        while (done := run(before, BATCH)).looked_at:
            archived += done.archived
            if time.monotonic() >= until or is_wanted():
                return archived
    return archived


def count_waiting(store: Store, before: int) -> int:
    """Return how many games and tournaments that ended before a moment are in the store."""
    games = store.projections.finished.count_before(before)
    return games + store.tournaments.lists.ended.count_before(before)


class ArchiveFeeder(Looking):
    """Enqueues a job while games wait for the archive, and now and then for a check of it."""

    every_s = EVERY_S
    _checked_at: float | None = None

    def run(self) -> int:
        """Enqueue a job if something waits and no job does; returns the number of new jobs."""
        store = self._store
        if not store.archive.is_set:
            return 0
        now = store.clock.now_ms()
        # After its start a dispatcher does not wait: the operator may have corrected the URL.
        if self._checked_at is not None and store.archive_state.read().again_at > now:
            return 0
        if not self._is_check_due() and not self._does_one_wait(now):
            return 0
        queue = self._queues.analysis
        if any(one.startswith(f"{NAME}-") for one in queue.job_ids):
            return 0
        self._checked_at = self._clock()
        return int(put_job(queue, JOB, f"{NAME}-{now_ms()}"))

    def _is_check_due(self) -> bool:
        """Return whether no job has looked at the archive for a while, or since the start."""
        return self._checked_at is None or self._clock() >= self._checked_at + CHECK_EVERY_S

    def _does_one_wait(self, now: int) -> bool:
        after = self._store.archive_after
        return after is not None and bool(count_waiting(self._store, now - 1000 * after))
