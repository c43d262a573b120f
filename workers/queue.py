"""The queue of jobs: what is put into it, under which ids.

Jobs carry the id of a game and a version, as JSON, and nothing else; what is to be done is found
in the ledger when the job runs. So a job that is late, repeated or killed half-way does no harm,
and the queue as a whole may be lost: the sweep puts in again what is missing.
"""

from __future__ import annotations

from typing import Literal

from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

QUEUE = "cartulary"

Kind = Literal["bot", "score"]

JOBS: dict[Kind, str] = {
    "bot": "cartulary.workers.jobs.bot_turn",
    "score": "cartulary.workers.jobs.score",
}
"""The function that each kind of job calls, by name: the dispatcher never imports a bot."""

JOB_TIMEOUT_S = 30
"""A job takes milliseconds; one that hangs is ended after this."""

RESULT_TTL_S = 20
"""A finished job is remembered this long, so that a repeated outbox entry finds its id taken."""

FAILURE_TTL_S = 24 * 3600
"""A failed job is kept for a day, for people to look at."""


def queue_on(connection: Redis) -> Queue:
    """Return the queue; `connection` must not decode responses (RQ reads bytes)."""
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


def job_id(kind: Kind, game_id: str, version: int, again: int = 0) -> str:
    """Return the id of a job; `again` counts the sweep's repetitions, 0 is the first attempt."""
    first = f"{kind}-{game_id}-{version}"
    return f"{first}-{again}" if again else first


def put(queue: Queue, kind: Kind, game_id: str, version: int, again: int = 0) -> bool:
    """Put a job into the queue, unless one with its id is known; returns whether it was new."""
    try:
        queue.enqueue(
            JOBS[kind],
            game_id,
            version,
            job_id=job_id(kind, game_id, version, again),
            unique=True,
            retry=Retry(max=2),
            job_timeout=JOB_TIMEOUT_S,
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
        )
    except DuplicateJobError:
        return False
    return True
