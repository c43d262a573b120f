"""The sweep: finds games that wait for a worker although nothing happens any more.

A job can be lost: its worker was killed, the server of the queue lost its data, the job failed. The
ledger knows which games wait (`events.due`), and a lease says which of them a worker has in hand.
All others get another job, under another id.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from rq import Queue

from cartulary.events.due import Due, due
from cartulary.events.projections import Late
from cartulary.events.store import Store
from cartulary.workers.queue import put
from cartulary.workers.reading import Reader, now_ms

EVERY_S = 1.0
"""How often the sweep looks."""

GRACE_S = 3.0
"""How long a game may wait without a lease: a job normally begins within milliseconds."""

LONGEST_PAUSE_S = 60.0
"""Between two jobs for the same position, the pause doubles from `GRACE_S` up to this."""

LIMIT = 1000
"""Most games per look."""

JUDGED = 200
"""Most games whose table is read per look: the dispatcher does nothing else in the meantime."""

BACKLOG = 200
"""With more jobs than this in the queue the sweep adds none: the workers are merely behind."""

log = logging.getLogger("cartulary.sweep")


class Sweep:
    """Enqueues lost jobs; remembers, while a game waits, when it may get its next job.

    `grace` is in seconds; `clock` paces the looks and pauses; `now` gives ms since the epoch.
    """

    def __init__(
        self,
        store: Store,
        queue: Queue,
        reader: Reader | None = None,
        grace: float = GRACE_S,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] = now_ms,
    ) -> None:
        self._store = store
        self._queue = queue
        self._reader = reader or Reader(store)
        self._grace = grace
        self._clock = clock
        self._now = now
        self._due = clock() + EVERY_S
        self._adopted = False
        self._pauses: dict[Late, tuple[float, float]] = {}

    def run_when_due(self) -> None:
        """Run, unless the sweep ran within the last `EVERY_S` seconds."""
        now = self._clock()
        if now >= self._due:
            self._due = now + EVERY_S
            self.run()

    def run(self) -> int:
        """Enqueue a job for every game that waits too long; returns the number of jobs."""
        self._adopt_once()
        if self._queue.count > BACKLOG:
            return 0
        before = self._now() - round(self._grace * 1000)
        late = self._store.projections.late(before, LIMIT)
        self._pauses = {game: self._pauses[game] for game in late if game in self._pauses}
        candidates = [game for game in late if not self._pauses_still(game)][:JUDGED]
        judged = [(game, self._judge(game, before)) for game in candidates]
        overdue = [(game, waits_for) for game, waits_for in judged if waits_for is not None]
        held = self._store.leases.are_held([(game.game, wait.position) for game, wait in overdue])
        return sum(
            self._enqueue(game, waits_for)
            for (game, waits_for), working in zip(overdue, held, strict=True)
            if not working
        )

    def _adopt_once(self) -> None:
        """Take over the set of an earlier version at the first look of this process."""
        if not self._adopted:
            self._store.projections.adopt_waiting()
            self._adopted = True

    def _pauses_still(self, game: Late) -> bool:
        return game in self._pauses and self._clock() < self._pauses[game][0]

    def _judge(self, game: Late, before: int) -> Due | None:
        """Return what a late game waits for now, None when it is not late or cannot be read."""
        table = self._reader.read(game.game)
        if table is None:
            self._pause(game)
            return None
        self._store.projections.apply(table)
        waits_for = due(table)
        return waits_for if waits_for is not None and waits_for.at <= before else None

    def _pause(self, game: Late) -> None:
        _, pause = self._pauses.get(game, (0.0, self._grace))
        self._pauses[game] = (self._clock() + pause, min(2 * pause, LONGEST_PAUSE_S))

    def _enqueue(self, game: Late, waits_for: Due) -> bool:
        self._pause(game)
        kind, position = waits_for.kind, waits_for.position
        log.warning("game %s waits at position %d: %s job again", game.game, position, kind)
        # No dispatcher has used this id before: the wall clock goes on between two processes.
        return put(self._queue, kind, game.game, position, again=now_ms())
