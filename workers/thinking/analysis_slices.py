"""Slices: an analysis is made in short jobs, so that no bot waits for it.

The slices are in the queue of the lowest priority. A worker that has made a slice puts the next
slice into the queue. The dispatcher starts the analyses that were asked for, and repeats a slice
that is lost: its worker was killed, or the server of the queue has lost its data.
"""

from __future__ import annotations

from typing import Final

from rq import Queue

from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.low_priority_poll import Looking, put_job

JOB: Final = "cartulary.workers.analysing.go_on"
"""The function that a slice calls, by name, so that the dispatcher imports no analysis."""

ANALYSING: Final = 0
"""The place of the lease of an analysis: no bot and no score works on a game at this position."""

EVERY_S: Final = 1.0
"""How often the dispatcher looks for analyses without a slice."""


def put_slice(queue: Queue, game_id: str, done: int, again: int = 0) -> bool:
    """Enqueue the next slice of an analysis, unless the queue knows it; returns whether it is new.

    `done` is the number of decisions that are judged; `again` names a repetition.
    """
    name = f"analysis-{game_id}-{done}"
    return put_job(queue, JOB, f"{name}-{again}" if again else name, game_id)


class SliceFeeder(Looking):
    """Enqueues a slice of each analysis that waits for one.

    As many analyses are under way at once as there are workers for them, those that were asked for
    first.
    """

    every_s = EVERY_S

    def run(self) -> int:
        """Enqueue what is missing; returns the number of new slices. Raises `RedisError`."""
        if not self._store.analyses.list_under_way(1):
            return 0
        chosen = self._store.analyses.list_under_way(max(1, self._queues.count_thinkers()))
        queued = set(self._queues.analysis.job_ids)
        waiting = [game for game in chosen if not _has_slice(game, queued)]
        held = self._store.leases.are_held([(game, ANALYSING) for game in waiting])
        free = [game for game, working in zip(waiting, held, strict=True) if not working]
        return sum(put_slice(self._queues.analysis, game, 0, again=now_ms()) for game in free)


def _has_slice(game_id: str, queued: set[str]) -> bool:
    return any(name.startswith(f"analysis-{game_id}-") for name in queued)
