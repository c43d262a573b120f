"""Audit all games in several processes.

An audit makes each move again, so it takes the time of the processor and hardly any of the store.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import Final

from cartulary.events.audit.audit import AuditReport
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import MALFORMED, BrokenHistory, UnknownEvent
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.store import Store
from cartulary.studies.verification import verify_study
from cartulary.tournaments.verification import (
    TournamentReport,
    report_broken,
    verify_tournament,
)

BATCH = 16
"""Games that a process audits before it reports."""

AHEAD = 3
"""Batches for each process that wait or have not been reported yet: so many stay in memory."""

OpenStore = Callable[[], Store]
"""Opens the store; has to be a function of a module, because each process calls it."""

_opened: list[Store] = []
"""The store of this process, where it is one of those that audit."""


def audit_all(
    open_store: OpenStore, jobs: int, progress: Callable[[int, int], None] | None = None
) -> Iterator[AuditReport]:
    """Yield the report of every game, stored or archived, from `jobs` processes.

    They come in the order of the ids. The memory does not grow with the number of games. Raises
    `RedisError`, and `concurrent.futures.BrokenExecutor` when a process is killed.
    """
    with DiskSet() as games:
        _collect(open_store, games)
        total = len(games)
        batches = _cut(games)
        # Another process would import for longer than it takes to audit one batch.
        is_short = jobs == 1 or total <= BATCH
        reports = _audit_here if is_short else _audit_elsewhere
        for done, report in enumerate(reports(open_store, batches, jobs), start=1):
            yield report
            if progress is not None:
                progress(done, total)


def verify_tournaments(store: Store) -> Iterator[tuple[str, TournamentReport]]:
    """Yield the report of every tournament, stored or archived, in the order of the ids.

    Raises `RedisError`, `ArchiveError`.
    """
    streams = store.tournaments.streams
    for tournament_id in streams.all_ids():
        try:
            yield tournament_id, verify_tournament(streams.deliver(tournament_id))
        except _UNREADABLE as error:
            yield tournament_id, report_broken(_read_fault(tournament_id, error))


def verify_studies(store: Store) -> Iterator[tuple[str, list[Json]]]:
    """Yield the problems of every study, in the order of the ids. Raises `RedisError`."""
    for study_id in sorted(store.studies.streams.ids()):
        try:
            yield study_id, verify_study(store.studies.streams.deliver(study_id), store.rules)
        except _UNREADABLE as error:
            broken = _read_fault(study_id, error)
            about = {"version": broken.version, "problem": broken.problem}
            yield study_id, [{**about, "detail": broken.detail}]


_UNREADABLE: Final = (BrokenHistory, UnknownEvent, *MALFORMED)


def _read_fault(stream_id: str, error: Exception) -> BrokenHistory:
    """Return why the events of a stream cannot be read, or that its row was changed."""
    if isinstance(error, BrokenHistory):
        return error
    if isinstance(error, UnknownEvent):
        return BrokenHistory(stream_id, error.version, "unknown", error.detail)
    detail = f"a part of an event is not as it should be: {error!r}"
    return BrokenHistory(stream_id, 1, "unreadable", detail)


def _collect(open_store: OpenStore, games: DiskSet) -> None:
    store = open_store()
    try:
        # The store before and after the archive: a game may move while both are read. The archive
        # names the games whose rows were lost as well.
        found = chain(_scan(store), store.archive.ids(), _scan(store))
        while some := list(islice(found, 1000)):
            games.add(game_id.encode() for game_id in some)
    finally:
        store.close()


def _scan(store: Store) -> Iterator[str]:
    """Yield the ids of the games in the store; some may come twice."""
    for key in store.redis.scan_iter(match=keys.EVENTS_PATTERN, count=1000):
        yield keys.game_of_events(key.decode())


def _cut(games: DiskSet) -> Iterator[list[str]]:
    names = iter(games)
    while batch := list(islice(names, BATCH)):
        yield [name.decode() for name in batch]


def _audit_here(
    open_store: OpenStore, batches: Iterator[list[str]], _jobs: int
) -> Iterator[AuditReport]:
    store = open_store()
    try:
        for batch in batches:
            yield from _audit(store, batch)
    finally:
        store.close()


def _audit_elsewhere(
    open_store: OpenStore, batches: Iterator[list[str]], jobs: int
) -> Iterator[AuditReport]:
    # Processes that are spawned have no thread and no connection of this process.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _open, (open_store,)) as pool:
        waiting: deque[Future[list[AuditReport]]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_audit_batch, batch))
                if len(waiting) >= AHEAD * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)  # waits for the batches that are under way


def _open(open_store: OpenStore) -> None:
    """Open the store of a process that audits."""
    _opened[:] = [open_store()]


def _audit_batch(batch: list[str]) -> list[AuditReport]:
    return list(_audit(_opened[0], batch))


def _audit(store: Store, batch: list[str]) -> Iterator[AuditReport]:
    for game_id in batch:
        try:
            yield store.audit.game(game_id)
        except NotFound:  # the game was removed since the games were listed
            continue
