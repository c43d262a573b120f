"""The feeder: from the lines to the queues, as few games at a time as keep the workers busy.

No job overtakes another job in a queue, so the queues are kept short: a little more than the
workers take at once. A job that ends leaves room, and the feeder fills it from the lines. While
people play, games of bots only get half of the workers: so the other half is free at once. Quick
jobs and jobs of bots that think have queues of their own, and are counted apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cartulary.events.model.clock import SYSTEM
from cartulary.workers.queues.lines import AwaitedJob, GameQueues, Thinks
from cartulary.workers.queues.queues import Lengths, Queues, put

COUNT_EVERY_S = 2.0
"""How often the workers are counted."""

SPARE = 1
"""Jobs that wait in each queue beyond one for each worker."""

PEOPLE_PLAY_S = 10.0
"""For so long after the last turn of a bot for a person people count as playing."""

BOTS_EVERY = 20
"""While people's games keep the workers busy, each such place goes to a game of bots only."""


class Feeder:
    """Feeds the queues from lines of its own. For one thread.

    `clock` gives seconds, `now` ms since the epoch; `thinks` says which bots think for long.
    """

    def __init__(
        self,
        queues: Queues,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], int] = SYSTEM.now_ms,
        thinks: Thinks = lambda _table: False,
    ) -> None:
        self.lines = GameQueues(clock, now, thinks)
        self.queues = queues
        self._clock = clock
        self._workers = self._thinkers = 0
        self._count_due = 0.0
        self._turns = {False: 0, True: 0}

    def feed(self) -> int:
        """Fill the queues from the lines; returns the number of new jobs. Raises `RedisError`.

        A game whose job is not enqueued because the server does not answer stays in its line.
        """
        self.lines.release()
        if not self.lines:
            return 0
        self._count_when_due()
        fast, think = self.queues.read_lengths()
        return self._feed_kind(False, fast, self._workers) + self._feed_kind(
            True, think, self._thinkers
        )

    def _feed_kind(self, thinks: bool, waiting: Lengths, workers: int) -> int:
        most = max(1, workers) + SPARE
        fed = self._fill(thinks, True, most - waiting.people)
        return fed + self._fill(thinks, False, self._find_room(workers, most, waiting))

    def _find_room(self, workers: int, most: int, waiting: Lengths) -> int:
        """Return how many games of bots only may be enqueued now."""
        if self._clock() - self.lines.people_since > PEOPLE_PLAY_S:
            return most - waiting.bots
        return max(1, workers // 2) - waiting.bots - waiting.bots_running

    def read_backlog(self) -> tuple[int, float]:
        """Return how many games wait for a worker, in lines and queues, and the longest wait in s.

        Raises `RedisError`.
        """
        age = max(self.lines.read_age(), self.queues.read_age())
        return len(self.lines) + self.queues.count, age

    def count_by_queue(self) -> dict[str, int]:
        """Return how many games wait, in lines and queues, by the name of the queue.

        Raises `RedisError`.
        """
        found, in_lines = {}, self.lines.count()
        for thinks, lengths in zip((False, True), self.queues.read_lengths(), strict=True):
            for people, queued in ((True, lengths.people), (False, lengths.bots)):
                name = self.queues.choose(thinks, people).name
                found[name] = queued + in_lines[thinks, people]
        return found

    def _fill(self, thinks: bool, people: bool, room: int) -> int:
        """Enqueue jobs until a queue has no room or no game waits; returns the number of jobs."""
        fed = 0
        while fed < room:
            turn = self._next(thinks, people)
            if turn is None:
                break
            fed += self._enqueue(turn, people)
        return fed

    def _next(self, thinks: bool, people: bool) -> AwaitedJob | None:
        """Return the next game for a queue; the queue of people gets some games of bots only."""
        if people and self._turns[thinks] >= BOTS_EVERY:
            self._turns[thinks] = 0
            if turn := self.lines.take(False, thinks):
                return turn
        turn = self.lines.take(people, thinks)
        self._turns[thinks] += people and turn is not None
        return turn

    def _enqueue(self, turn: AwaitedJob, people: bool) -> bool:
        queue = self.queues.choose(turn.thinks, people)
        try:
            return put(queue, turn.kind, turn.game, turn.position, turn.again, turn.trace)
        except BaseException:
            self.lines.add(turn)
            raise

    def _count_when_due(self) -> None:
        now = self._clock()
        if now >= self._count_due:
            self._count_due = now + COUNT_EVERY_S
            self._workers = self.queues.count_workers()
            self._thinkers = self.queues.count_thinkers()
