"""The worker process that runs the jobs. `python -m cartulary.workers.worker`.

With `--fast` it takes quick jobs only (scores and quick bots); without it all jobs, those of bots
that think and analyses as well. At least one worker of several should have `--fast`, so that a
quick bot never waits for a bot that thinks; a single worker must take all jobs.

It is RQ's SimpleWorker, which runs jobs in its own process, and not the forking worker. Most jobs
are short (a bot's move takes milliseconds) and SimpleWorker runs about four times as many of them
per second; it also remembers the positions it knows, which a fork would forget after each job. The
forking worker survives a job that crashes the interpreter. Here the supervisor restarts the worker
instead, and the sweep enqueues the job again within seconds.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # nothing of what follows is garbage

import logging
import signal
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from types import FrameType

from redis import RedisError
from rq.serializers import JSONSerializer

from cartulary.events.model.offers import Offers
from cartulary.events.server.connection import connect
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.tracing.starting import start_tracing
from cartulary.games import OFFERS
from cartulary.settings.garbage import keep_what_is_loaded
from cartulary.workers.process.log import configure_logging
from cartulary.workers.process.stoppable_worker import StoppableWorker
from cartulary.workers.process.store_claim import claim_when_reachable, exit_when_unusable
from cartulary.workers.queues.queues import Queues, queues_on
from cartulary.workers.wiring import provide

WORKER_TTL_S = 20
MAINTENANCE_INTERVAL_S = 5
MONITORING_INTERVAL_S = 5
"""With RQ's own defaults a job of a killed worker would count as running for seven minutes."""

PAUSE_S = 0.5
"""Pause before another worker begins."""

log = logging.getLogger("cartulary.workers")


def make_worker(queues: Queues, thinks: bool = True) -> StoppableWorker:
    """Return a worker for the queues, with intervals that notice a dead worker soon.

    `thinks`: it takes all jobs, else quick jobs only.
    """
    return StoppableWorker(
        queues.list_for(thinks),
        connection=queues.connection,
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        maintenance_interval=MAINTENANCE_INTERVAL_S,
        job_monitoring_interval=MONITORING_INTERVAL_S,
        log_job_description=False,
    )


def main(
    arguments: Sequence[str] | None = None,
    open_store: Callable[[StoreSettings, Offers], Store] = Store.open,
) -> None:
    """Run jobs until SIGTERM or SIGINT; a job that runs is finished first.

    `arguments` are those of the command line, by default those of this process. `open_store` opens
    the store of the settings.
    """
    parser = ArgumentParser(prog="python -m cartulary.workers.worker")
    parser.add_argument("--fast", action="store_true", help="take quick jobs only")
    thinks = not parser.parse_args(arguments).fast
    configure_logging()
    start_tracing("worker")
    settings = StoreSettings.from_env()
    store = open_store(settings, OFFERS)
    queues = queues_on(connect(settings.queue_url, patient=True))
    stopping: list[int] = []
    _on_stop(lambda number, _frame: stopping.append(number))
    with exit_when_unusable():
        is_there = claim_when_reachable(
            store, queues.connection, StoppableWorker.beat, lambda: bool(stopping)
        )
    if is_there:
        provide(store, OFFERS, queues, thinks)
        StoppableWorker.key_mark = store.keyring.mark
        work(queues, stopping, thinks)
    store.close()


def work(queues: Queues, stopping: list[int], thinks: bool = True) -> None:
    """Run jobs until `stopping` has the number of a signal, or such a signal comes.

    A worker of RQ ends when the store refuses a command (its disk or memory is full) or cuts the
    connection. Another worker begins then, in this process, which remembers its positions.
    """
    while not stopping:
        worker = make_worker(queues, thinks)
        _on_stop(worker.request_stop)
        if stopping:
            worker.request_stop(stopping[0], None)
        try:
            worker.work(logging_level="WARNING")
        except RedisError as error:
            log.warning("the store does not serve the worker, trying again: %s", error)
        _on_stop(lambda number, _frame: stopping.append(number))
        if worker.is_stopping:
            return
        StoppableWorker.beat()
        time.sleep(PAUSE_S)


def _on_stop(handler: Callable[[int, FrameType | None], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


if __name__ == "__main__":
    keep_what_is_loaded()
    main()
