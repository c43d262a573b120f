"""How the queues of RQ stand, read without a change.

RQ's own methods clean up while they count: they remove jobs that have expired, and so they write.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from redis import Redis
from rq import Queue
from rq.job import Job
from rq.utils import utcparse

from cartulary.workers.queues.queues import Queues


class QueueReading(NamedTuple):
    """A queue: how many jobs wait, and the ids of those that failed, the newest last.

    `age_s` are the seconds for which the first job has waited, 0 without any.
    """

    name: str
    waiting: int
    age_s: float
    failed: list[str]


def read_queues(queues: Queues) -> list[QueueReading]:
    """Return how each queue stands. Changes nothing. Raises `RedisError`."""
    seconds, micros = queues.connection.time()
    now = seconds + micros / 1e6
    return [_read_queue(queue, now) for queue in queues]


def _read_queue(queue: Queue, now: float) -> QueueReading:
    redis = queue.connection
    waiting: Any = redis.llen(queue.key)
    failed: Any = redis.zrange(queue.failed_job_registry.key, 0, -1)
    age_s = _read_age(redis, queue, now)
    return QueueReading(queue.name, int(waiting), age_s, [one.decode() for one in failed])


def _read_age(redis: Redis, queue: Queue, now: float) -> float:
    first: Any = redis.lindex(queue.key, 0)
    if first is None:
        return 0.0
    enqueued: Any = redis.hget(Job.key_for(first.decode()), "enqueued_at")
    if not enqueued:
        return 0.0  # a worker has just taken the job
    at: datetime = utcparse(enqueued.decode())
    return max(0.0, now - at.replace(tzinfo=UTC).timestamp())
