"""A part of the dispatcher that looks, now and then, for work of the lowest priority."""

from __future__ import annotations

import abc
import time
from collections.abc import Callable
from typing import Any, ClassVar

from rq import Queue
from rq.exceptions import DuplicateJobError

from cartulary.events.store import Store
from cartulary.workers.queues.queues import FAILURE_TTL_S, JOB_TIMEOUT_S, Queues


class Looking(abc.ABC):
    """Looks every `every_s` seconds and enqueues what is missing. For one thread.

    `clock` gives seconds.
    """

    every_s: ClassVar[float]
    begins_s: ClassVar[float] = 0.0
    """Seconds from a start until its first look."""

    def __init__(
        self, store: Store, queues: Queues, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._queues, self._clock = store, queues, clock
        self._due = clock() + self.begins_s

    def run_when_due(self) -> None:
        """Look, unless the last look was within `every_s` seconds. Raises `RedisError`."""
        now = self._clock()
        if now >= self._due:
            self._due = now + self.every_s
            self.run()

    @abc.abstractmethod
    def run(self) -> int:
        """Enqueue what is missing; returns the number of new jobs. Raises `RedisError`."""


def put_job(queue: Queue, job: str, job_id: str, *arguments: Any) -> bool:
    """Put a job into a queue unless a job with its id waits; returns whether the job is new."""
    try:
        queue.enqueue(
            job,
            *arguments,
            job_id=job_id,
            unique=True,
            job_timeout=JOB_TIMEOUT_S,
            result_ttl=0,
            failure_ttl=FAILURE_TTL_S,
        )
    except DuplicateJobError:
        return False
    return True
