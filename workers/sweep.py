"""The sweep: games that wait for a worker although nothing happens any more.

A job can be lost: its worker was killed, the queue's server lost its data, a job failed. The
ledger knows better than any queue which games wait, so they get another job, under another id.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from rq import Queue

from cartulary.events.projections import Projections, Waiting
from cartulary.workers.queue import Kind, put

EVERY_S = 1.0
"""How often it looks."""

GRACE_S = 3.0
"""How long a game may wait before it counts as forgotten: a job normally takes milliseconds."""

LONGEST_PAUSE_S = 60.0
"""Between two jobs for the same position, the pause doubles from `GRACE_S` up to this."""

LIMIT = 1000
"""Most games per look."""

BACKLOG = 200
"""A queue longer than this is not made longer: its workers are merely behind."""

log = logging.getLogger("cartulary.sweep")


class Sweep:
    """Remembers, for as long as a position waits, when it may get its next job."""

    def __init__(
        self,
        projections: Projections,
        queue: Queue,
        grace: float = GRACE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._projections = projections
        self._queue = queue
        self._grace = grace
        self._clock = clock
        self._due = clock() + EVERY_S
        self._pauses: dict[Waiting, tuple[float, float]] = {}

    def run_when_due(self) -> None:
        """Run, unless it ran within the last `EVERY_S` seconds."""
        now = self._clock()
        if now >= self._due:
            self._due = now + EVERY_S
            self.run()

    def run(self) -> int:
        """Put a job in for every game that waits too long; returns how many were put in."""
        if self._queue.count > BACKLOG:
            return 0
        waiting = self._projections.waiting(self._grace, LIMIT)
        self._pauses = {game: self._pauses[game] for game in waiting if game in self._pauses}
        return sum(self._put_again(game) for game in waiting)

    def _put_again(self, game: Waiting) -> bool:
        now = self._clock()
        due, pause = self._pauses.get(game, (now, self._grace))
        if now < due:
            return False
        self._pauses[game] = (now + pause, min(2 * pause, LONGEST_PAUSE_S))
        kind: Kind = "score" if game.status == "scoring" else "bot"
        log.warning("game %s waits at version %d: %s job again", game.game, game.version, kind)
        # The wall clock makes an id that no earlier dispatcher has used either.
        return put(self._queue, kind, game.game, game.version, again=time.time_ns() // 1_000_000)
