"""The worker process that runs the jobs. `python -m cartulary.workers.worker`.

It is RQ's SimpleWorker, which runs jobs in its own process, and not the forking one. Our jobs are
short (a bot's move takes milliseconds) and SimpleWorker does about four times as many of those per
second; it keeps the positions it knows in memory, which a fork would forget after each job. What
the forking one is better at, surviving a job that crashes the interpreter, is covered: the
supervisor starts a dead worker again, and the sweep puts its job in again within seconds.
"""

from __future__ import annotations

from types import FrameType
from typing import Any

from redis.exceptions import ConnectionError as Unreachable
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from cartulary.events.connection import connect
from cartulary.events.settings import Settings
from cartulary.workers.log import configure_logging
from cartulary.workers.queue import queue_on

WORKER_TTL_S = 20
MAINTENANCE_INTERVAL_S = 5
MONITORING_INTERVAL_S = 5
"""With RQ's own defaults a job of a killed worker would count as running for seven minutes."""

STOP_WITHIN_S = 1
"""How long an idle worker may take to notice that it is to stop."""


class Worker(SimpleWorker):  # type: ignore[misc]
    """A worker that stops between two jobs, wherever it is when it is told to.

    RQ's own raises an exception in the handler of the signal, and redis-py, where a worker nearly
    always is, catches it here and there: then it went on, or left an answer unread.
    """

    max_connection_wait_time = STOP_WITHIN_S

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that it is to stop; the handler of SIGINT and SIGTERM."""
        self._stop_requested = True

    def heartbeat(self, *arguments: Any, **options: Any) -> None:
        """Say that it lives; raises `StopRequested` when it is to stop and nobody is there to hear.

        RQ begins with this again and again while the server of the queue is away.
        """
        try:
            super().heartbeat(*arguments, **options)
        except Unreachable:
            if self._stop_requested:
                raise StopRequested from None
            raise

    @property
    def dequeue_timeout(self) -> int:
        """Seconds to wait for a job before it looks around."""
        return STOP_WITHIN_S

    @property
    def should_run_maintenance_tasks(self) -> bool:
        """Whether those are due; asked each time before it waits for a job, with none in hand.

        Raises `StopRequested`, which ends `work`, when it is to stop.
        """
        if self._stop_requested:
            raise StopRequested
        due: bool = super().should_run_maintenance_tasks
        return due


def make_worker(queue: Queue) -> Worker:
    """Return a worker for the queue, with intervals that notice a dead colleague soon."""
    return Worker(
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
    make_worker(queue_on(connect(Settings.from_env().queue_url, patient=True))).work(
        logging_level="WARNING"
    )


if __name__ == "__main__":
    main()
