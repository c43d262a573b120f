"""The worker process that runs the jobs. `python -m workers.worker`.

It is RQ's SimpleWorker, which runs jobs in its own process, and not the forking one. Our jobs are
short (a bot's move takes milliseconds) and SimpleWorker does about four times as many of those per
second; it keeps the positions it knows in memory, which a fork would forget after each job. What
the forking one is better at, surviving a job that crashes the interpreter, is covered: the
supervisor starts a dead worker again, and the sweep puts its job in again within seconds.
"""

from __future__ import annotations

from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.connection import connect
from events.settings import Settings
from workers.log import configure_logging
from workers.queue import queue_on

WORKER_TTL_S = 20
MAINTENANCE_INTERVAL_S = 5
MONITORING_INTERVAL_S = 5
"""With RQ's own defaults a job of a killed worker would count as running for seven minutes."""


def make_worker(queue: Queue) -> SimpleWorker:
    """Return a worker for the queue, with intervals that notice a dead colleague soon."""
    return SimpleWorker(
        [queue],
        connection=queue.connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        maintenance_interval=MAINTENANCE_INTERVAL_S,
        job_monitoring_interval=MONITORING_INTERVAL_S,
        log_job_description=False,
    )


def main() -> None:
    """Run jobs until SIGTERM or SIGINT; the job in hand is finished first."""
    configure_logging()
    make_worker(queue_on(connect(Settings.from_env().queue_url))).work(logging_level="WARNING")


if __name__ == "__main__":
    main()
