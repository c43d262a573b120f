"""The job that has a film made, and the part of the dispatcher that enqueues it.

A film takes up to a minute of a processor. So the job starts a process of the lowest priority and
ends at once: the worker goes on with the bots. A process that dies is started again.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.low_priority_poll import Looking, put_job

JOB: Final = "cartulary.workers.films.feeding.start_making"
MAKER: Final = "cartulary.workers.films.making"
FILMING: Final = -1
"""The place of the lease of a film: no bot, score or analysis works on a game at this position."""
EVERY_S: Final = 1.0

_making: list[subprocess.Popen[bytes]] = []
"""The process that this worker has started last."""


def start_making(game_id: str, wish: str) -> bool:
    """Start the process that makes a film, unless one of this worker is at work."""
    if any(process.poll() is None for process in _making):
        return False
    _making[:] = [subprocess.Popen([sys.executable, "-m", MAKER, game_id, wish])]
    return True


class FilmFeeder(Looking):
    """Enqueues a job while a film waits and none is made: one film is made at a time."""

    every_s = EVERY_S

    def run(self) -> int:
        """Enqueue a job for the film that was asked for first; returns the number of new jobs."""
        found = self._store.films.next()
        if found is None or self._store.leases.are_held([(found[0], FILMING)])[0]:
            return 0
        queue = self._queues.analysis
        if any(name.startswith("film-") for name in queue.job_ids):
            return 0
        return int(put_job(queue, JOB, f"film-{found[0]}-{now_ms()}", found[0], str(found[1])))
