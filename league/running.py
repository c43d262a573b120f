"""Plays the games that are missing in the records, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice

from cartulary.league.matches import LeagueMatch, PlayedMatch, Task, list_tasks, play_task
from cartulary.league.records import Records

AHEAD = 2
"""Games for each process that are handed out before an earlier game is over."""

Show = Callable[[int, int], None]
"""Takes the number of games that are done, and the number of all games."""


def play_missing(
    records: Records,
    matches: Sequence[LeagueMatch],
    seed: str,
    deals: int,
    *,
    jobs: int = 1,
    show: Show = lambda _done, _all: None,
    is_decided: Callable[[], bool] = lambda: False,
) -> None:
    """Play the first `deals` deals of each match, as far as the records do not have them.

    All matches have a deal before one of them has the next. `is_decided` is asked after each game:
    when it says so, no further game begins. Raises what a bot raises; what was played before is in
    the records.
    """
    tasks = [
        task
        for deal in range(deals)
        for match in matches
        for task in list_tasks(match, seed, [deal])
    ]
    missing = [one for one in tasks if not records.has(one.match.name, one.deal, one.number)]
    done = len(tasks) - len(missing)
    show(done, len(tasks))
    if is_decided():
        return
    for played in _play(missing, jobs):
        records.add(played)
        done += 1
        show(done, len(tasks))
        if is_decided():
            return


def _play(tasks: Sequence[Task], jobs: int) -> Iterator[PlayedMatch]:
    """Yield the games as they end; the caller may stop at any game."""
    if jobs == 1:
        yield from map(play_task, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_end_with_parent) as pool:
        try:
            yield from _play_in(pool, iter(tasks), AHEAD * jobs)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _play_in(pool: ProcessPoolExecutor, tasks: Iterator[Task], ahead: int) -> Iterator[PlayedMatch]:
    running: set[Future[PlayedMatch]] = set()
    while True:
        running |= {pool.submit(play_task, task) for task in islice(tasks, ahead - len(running))}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _end_with_parent() -> None:
    """End this process when the run that started it is killed: no process would read its games."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_for_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_for_parent, daemon=True).start()
