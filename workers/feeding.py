"""The feeder: from the lines to the queues, as few games at a time as keep the workers busy.

What is in a queue can be overtaken by nobody, so the queues are kept short: a little more than the
workers take at once. A job that ends leaves room, and the feeder fills it from the lines. While
people play, games of bots only get half of the workers: so the other half is free at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cartulary.workers.lines import Lines, Turn
from cartulary.workers.queue import Lengths, Queues, put

COUNT_EVERY_S = 2.0
"""How often the workers are counted."""

SPARE = 1
"""Jobs that wait in each queue beyond one for each worker."""

PEOPLE_PLAY_S = 10.0
"""For so long after the last turn of a bot for a person people count as playing."""

BOTS_EVERY = 20
"""While people's games keep the workers busy, each such place goes to a game of bots only."""


class Feeder:
    """Feeds the queues from lines of its own. For one thread; `clock` gives seconds."""

    def __init__(self, queues: Queues, clock: Callable[[], float] = time.monotonic) -> None:
        self.lines = Lines(clock)
        self.queues = queues
        self._clock = clock
        self._workers = 0
        self._count_due = 0.0
        self._turns = 0

    def feed(self) -> int:
        """Fill the queues from the lines; returns the number of new jobs. Raises `RedisError`.

        A game whose job is not enqueued because the server does not answer stays in its line.
        """
        if not self.lines:
            return 0
        self._count_when_due()
        waiting = self.queues.read_lengths()
        most = max(1, self._workers) + SPARE
        fed = self._fill(True, most - waiting.people)
        return fed + self._fill(False, self._find_room(most, waiting))

    def _find_room(self, most: int, waiting: Lengths) -> int:
        """Return how many games of bots only may be enqueued now."""
        if self._clock() - self.lines.people_since > PEOPLE_PLAY_S:
            return most - waiting.bots
        return max(1, self._workers // 2) - waiting.bots - waiting.bots_running

    def read_backlog(self) -> tuple[int, float]:
        """Return how many games wait for a worker, in lines and queues, and the longest wait in s.

        Raises `RedisError`.
        """
        age = max(self.lines.read_age(), self.queues.read_age())
        return len(self.lines) + self.queues.count, age

    def _fill(self, people: bool, room: int) -> int:
        """Enqueue jobs until a queue has no room or no game waits; returns the number of jobs."""
        fed = 0
        while fed < room:
            turn = self._next(people)
            if turn is None:
                break
            fed += self._enqueue(turn, people)
        return fed

    def _next(self, people: bool) -> Turn | None:
        """Return the next game for a queue; the queue of people gets some games of bots only."""
        if people and self._turns >= BOTS_EVERY:
            self._turns = 0
            if turn := self.lines.take(people=False):
                return turn
        turn = self.lines.take(people)
        self._turns += people and turn is not None
        return turn

    def _enqueue(self, turn: Turn, people: bool) -> bool:
        queue = self.queues.people if people else self.queues.bots
        try:
            return put(queue, turn.kind, turn.game, turn.position, turn.again)
        except BaseException:
            self.lines.add(turn)
            raise

    def _count_when_due(self) -> None:
        now = self._clock()
        if now >= self._count_due:
            self._count_due = now + COUNT_EVERY_S
            self._workers = self.queues.count_workers()
