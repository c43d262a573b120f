"""The queues of jobs: what is enqueued, under which ids.

A job carries the id of a game and a position, as JSON, and nothing else; the job reads from the
ledger what is to be done when it runs. So a job that is late, repeated or killed half-way does no
harm, and the whole queue may be lost: the sweep enqueues again what is missing.

There are two queues, and a worker takes from the second only when the first is empty: games with
people come before games of bots only. Both are short, because the games wait in the lines of the
dispatcher (`workers.lines`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from redis import Redis
from rq import Queue, Retry, Worker
from rq.exceptions import DuplicateJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from cartulary.events.due import Work

PEOPLE, BOTS = "cartulary", "cartulary-bots"
"""The names of the queues: games with people at the table, and games of bots only."""

JOBS: dict[Work, str] = {
    "bot": "cartulary.workers.jobs.bot_turn",
    "score": "cartulary.workers.jobs.score",
}
"""The function that each kind of job calls, by name, so that the dispatcher imports no job."""

JOB_TIMEOUT_S = 30
"""A job that runs longer is ended: a bot may think for so long, in seconds."""

RESULT_TTL_S = 20
"""A finished job is remembered this long, so that a repeated outbox entry finds its id in use."""

FAILURE_TTL_S = 24 * 3600
"""A failed job is kept for a day, for people to look at."""


class Lengths(NamedTuple):
    """The jobs that wait in each queue, and those of games of bots only that workers run."""

    people: int
    bots: int
    bots_running: int


@dataclass(frozen=True)
class Queues:
    """The queues on one server, in the order in which the workers take from them."""

    people: Queue
    bots: Queue

    def __iter__(self) -> Iterator[Queue]:
        """Yield the queues in their order."""
        return iter((self.people, self.bots))

    @property
    def connection(self) -> Redis:
        """The connection to the server."""
        return self.people.connection

    @property
    def jobs(self) -> list[Job]:
        """The jobs that wait."""
        return [*self.people.jobs, *self.bots.jobs]

    @property
    def job_ids(self) -> list[str]:
        """The ids of the jobs that wait."""
        return [*self.people.job_ids, *self.bots.job_ids]

    @property
    def count(self) -> int:
        """The number of jobs that wait."""
        found = self.read_lengths()
        return found.people + found.bots

    def read_lengths(self) -> Lengths:
        """Return how many jobs wait, and how many of games of bots only run; one round trip."""
        pipe = self.connection.pipeline(transaction=False)
        for queue in self:
            pipe.llen(queue.key)
        # The score is the time at which RQ takes a job for lost that shows no life.
        pipe.zcount(self.bots.started_job_registry.key, time.time(), "+inf")
        found: list[Any] = pipe.execute()
        return Lengths(*map(int, found))

    def count_workers(self) -> int:
        """Return how many workers take from the queues."""
        return Worker.count(queue=self.people)

    def read_age(self) -> float:
        """Return the seconds since the oldest job that waits was enqueued, 0 without any."""
        return max(map(_read_age, self))


def queues_on(connection: Redis) -> Queues:
    """Return the queues; `connection` must not decode responses (RQ reads bytes)."""
    people, bots = (
        Queue(name, connection=connection, serializer=JSONSerializer) for name in (PEOPLE, BOTS)
    )
    return Queues(people, bots)


def _read_age(queue: Queue) -> float:
    first = queue.get_job_ids(0, 1)
    job = queue.fetch_job(first[0]) if first else None
    if job is None or job.enqueued_at is None:
        return 0.0
    enqueued = job.enqueued_at
    if enqueued.tzinfo is None:
        enqueued = enqueued.replace(tzinfo=UTC)
    return max(0.0, (datetime.now(UTC) - enqueued).total_seconds())


def job_id(kind: Work, game_id: str, position: int, again: int = 0) -> str:
    """Return the id of a job; `again` names a repetition of the sweep, 0 is the first attempt."""
    first = f"{kind}-{game_id}-{position}"
    return f"{first}-{again}" if again else first


def put(queue: Queue, kind: Work, game_id: str, position: int, again: int = 0) -> bool:
    """Enqueue a job, unless the queue knows its id; returns whether the job is new."""
    try:
        queue.enqueue(
            JOBS[kind],
            game_id,
            position,
            job_id=job_id(kind, game_id, position, again),
            unique=True,
            retry=Retry(max=2),
            job_timeout=JOB_TIMEOUT_S,
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
        )
    except DuplicateJobError:
        return False
    return True
