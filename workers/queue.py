"""The queue of jobs: what is enqueued, under which ids.

A job carries the id of a game and a position, as JSON, and nothing else; the job reads from the
ledger what is to be done when it runs. So a job that is late, repeated or killed half-way does no
harm, and the whole queue may be lost: the sweep enqueues again what is missing.
"""

from __future__ import annotations

from datetime import UTC, datetime

from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from cartulary.events.due import Kind

QUEUE = "cartulary"

JOBS: dict[Kind, str] = {
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


def queue_on(connection: Redis) -> Queue:
    """Return the queue; `connection` must not decode responses (RQ reads bytes)."""
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


def read_age(queue: Queue) -> float:
    """Return the seconds since the first job in the queue was enqueued, 0 when no job waits."""
    first = queue.get_job_ids(0, 1)
    job = queue.fetch_job(first[0]) if first else None
    if job is None or job.enqueued_at is None:
        return 0.0
    enqueued = job.enqueued_at
    if enqueued.tzinfo is None:
        enqueued = enqueued.replace(tzinfo=UTC)
    return max(0.0, (datetime.now(UTC) - enqueued).total_seconds())


def job_id(kind: Kind, game_id: str, position: int, again: int = 0) -> str:
    """Return the id of a job; `again` names a repetition of the sweep, 0 is the first attempt."""
    first = f"{kind}-{game_id}-{position}"
    return f"{first}-{again}" if again else first


def put(queue: Queue, kind: Kind, game_id: str, position: int, again: int = 0) -> bool:
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
