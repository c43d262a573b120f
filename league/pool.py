"""Many games in several processes, which end with this process and at Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Games for each process that are handed out before an earlier game is over."""


def run_each(run: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Generator[R]:
    """Yield what `run` returns for each task, as the tasks end; the caller may stop at any of them.

    With one job everything runs in this process, in order. Raises what `run` raises, and
    `BrokenProcessPool` when a process is killed.
    """
    if jobs == 1:
        yield from map(run, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_begin_process) as pool:
        try:
            yield from _run_in(pool, run, iter(tasks), AHEAD * jobs)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            # Its processes would go on until their games are over, and Ctrl-C would take minutes.
            # Ctrl-C may come while the caller looks at a result: then this generator is closed.
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _run_in(
    pool: ProcessPoolExecutor, run: Callable[[T], R], tasks: Iterator[T], ahead: int
) -> Iterator[R]:
    running: set[Future[R]] = set()
    while True:
        running |= {pool.submit(run, task) for task in islice(tasks, ahead - len(running))}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        # What has failed comes last: it ends the run, and the other games are over as well.
        for future in sorted(done, key=lambda one: one.exception() is not None):
            yield future.result()


def _begin_process() -> None:
    """Leave Ctrl-C to the process that hands out the games, and end with it when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_for_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()
