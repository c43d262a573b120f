"""The queues of jobs: what is enqueued, under which ids.

A job carries the id of a game and a position, as JSON, and nothing else; the job reads from the
ledger what is to be done when it runs. So a job that is late, repeated or killed half-way does no
harm, and the whole queue may be lost: the sweep enqueues again what is missing.

There are queues for quick jobs and for bots that think, and of both kinds a queue for games with
people and a queue for games of bots only. A worker takes from a later queue only when the queues
before it are empty (`Queues.list_for`); a worker for quick jobs never takes from the queues of bots
that think. All queues are short, because the games wait in the lines of the dispatcher
(`workers.queues.lines`).
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

from cartulary.events.model.time.due import Work

PEOPLE, BOTS = "cartulary", "cartulary-bots"
"""The queues of quick jobs: games with people at the table, and games of bots only.

They have the names that they had when there were no other queues, so that jobs in them are taken by
workers of every release.
"""

THINK, THINK_BOTS = "cartulary-think", "cartulary-think-bots"
"""The same for bots that think for longer."""

ANALYSIS = "cartulary-analysis"
"""The queue of what no person waits for at a table; its jobs are short slices."""

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


TRACE = "trace"
"""The key of the carried trace in the meta data of a job."""


class Lengths(NamedTuple):
    """The jobs that wait in both queues of a kind, and how many of games of bots only run."""

    people: int
    bots: int
    bots_running: int


class Pair(NamedTuple):
    """The queues of one kind of job: games with people at the table, and games of bots only."""

    people: Queue
    bots: Queue


@dataclass(frozen=True)
class Queues:
    """The queues on one server: of quick jobs, of bots that think, and of analyses."""

    fast: Pair
    think: Pair
    analysis: Queue

    def __iter__(self) -> Iterator[Queue]:
        """Yield the queues in the order in which a worker that takes all jobs takes from them."""
        return iter(self.list_for(thinks=True))

    def list_for(self, thinks: bool) -> list[Queue]:
        """Return the queues of a worker in their order; `thinks`: it takes all kinds of jobs."""
        fast, think = self.fast, self.think
        if not thinks:
            return [fast.people, fast.bots]
        return [fast.people, think.people, fast.bots, think.bots, self.analysis]

    def choose(self, thinks: bool, people: bool) -> Queue:
        """Return the queue of a game; `people`: a person sits at the table."""
        pair = self.think if thinks else self.fast
        return pair.people if people else pair.bots

    @property
    def people(self) -> Queue:
        """The queue of quick jobs of games with people."""
        return self.fast.people

    @property
    def bots(self) -> Queue:
        """The queue of quick jobs of games of bots only."""
        return self.fast.bots

    @property
    def connection(self) -> Redis:
        """The connection to the server."""
        return self.people.connection

    @property
    def jobs(self) -> list[Job]:
        """The jobs that wait."""
        return [job for queue in self for job in queue.jobs]

    @property
    def job_ids(self) -> list[str]:
        """The ids of the jobs that wait."""
        return [one for queue in self for one in queue.job_ids]

    @property
    def count(self) -> int:
        """The number of jobs that wait for games."""
        return sum(one.people + one.bots for one in self.read_lengths())

    def read_lengths(self) -> tuple[Lengths, Lengths]:
        """Return the lengths for quick jobs and for bots that think; one round trip."""
        pipe = self.connection.pipeline(transaction=False)
        for pair in (self.fast, self.think):
            pipe.llen(pair.people.key)
            pipe.llen(pair.bots.key)
            # The score is the time at which RQ takes a job for lost that shows no life.
            pipe.zcount(pair.bots.started_job_registry.key, time.time(), "+inf")
        found: list[Any] = pipe.execute()
        return Lengths(*map(int, found[:3])), Lengths(*map(int, found[3:]))

    def do_people_wait(self, thinks: bool) -> bool:
        """Return whether a game with people waits for a worker; `thinks`: for one that takes all.

        One round trip.
        """
        keys = [self.fast.people.key, self.think.people.key] if thinks else [self.fast.people.key]
        return bool(self.connection.exists(*keys))

    def does_any_wait(self, but: str) -> bool:
        """Return whether any job waits whose id does not begin with `but`. One round trip."""
        pipe = self.connection.pipeline(transaction=False)
        pipe.exists(*(queue.key for queue in (*self.fast, *self.think)))
        pipe.lrange(self.analysis.key, 0, 1)
        games, others = pipe.execute()
        return bool(games) or any(not one.decode().startswith(but) for one in others)

    def count_workers(self) -> int:
        """Return how many workers there are."""
        return Worker.count(queue=self.fast.people)

    def count_thinkers(self) -> int:
        """Return how many workers take the jobs of bots that think."""
        return Worker.count(queue=self.think.people)

    def read_age(self) -> float:
        """Return the seconds since the oldest job of a game was enqueued, 0 without any."""
        return max(map(_read_age, (*self.fast, *self.think)))


def queues_on(connection: Redis) -> Queues:
    """Return the queues; `connection` must not decode responses (RQ reads bytes)."""

    def find(name: str) -> Queue:
        return Queue(name, connection=connection, serializer=JSONSerializer)

    return Queues(
        Pair(find(PEOPLE), find(BOTS)), Pair(find(THINK), find(THINK_BOTS)), find(ANALYSIS)
    )


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


def put(
    queue: Queue, kind: Work, game_id: str, position: int, again: int = 0, trace: str = ""
) -> bool:
    """Enqueue a job, unless the queue knows its id; returns whether the job is new.

    The job goes on with a carried `trace`.
    """
    try:
        queue.enqueue(
            JOBS[kind],
            game_id,
            position,
            job_id=job_id(kind, game_id, position, again),
            unique=True,
            meta={TRACE: trace} if trace else None,
            retry=Retry(max=2),
            job_timeout=JOB_TIMEOUT_S,
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
        )
    except DuplicateJobError:
        return False
    return True
