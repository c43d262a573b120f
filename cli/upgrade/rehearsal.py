"""The rehearsal itself, on the copy: fold, compare, rebuild, measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from cartulary.cli.shared.progress import progress
from cartulary.cli.upgrade.comparing import Compared, compare_summaries, count_aged
from cartulary.cli.upgrade.scratch import Scratch, open_copy
from cartulary.events.model.types import Json
from cartulary.events.server.servers import list_servers
from cartulary.events.store import Store
from cartulary.events.upkeep.auditing import audit_all, verify_studies, verify_tournaments
from cartulary.events.upkeep.rebuild import rebuild


class FoldedStreams(NamedTuple):
    """What was folded; `events` are those of games and tournaments.

    `problems` are `{"game"|"tournament"|"study", "version", "problem", "detail"}`.
    """

    games: int
    events: int
    tournaments: int
    studies: int
    problems: list[Json]


class Rehearsal(NamedTuple):
    """What a rehearsal has found; times in seconds, sizes in bytes.

    `compared` is None for a backup, which has no projections. `aged` are the games whose summary
    has to be made again; None where only the real store knows, as `live_bytes` of its memory.
    """

    streams: FoldedStreams
    archived: int
    compared: Compared | None
    aged: int | None
    rebuilt: int
    rebuild_s: float
    store_bytes: int
    live_bytes: int | None
    archive_bytes: int

    @property
    def holds(self) -> bool:
        """Whether this release reads all of it as it was written."""
        return not self.streams.problems and not (self.compared and self.compared.different)

    @property
    def to_rebuild(self) -> int:
        """How many games the real upgrade folds for their summaries: all where that is unknown."""
        return self.rebuilt if self.aged is None else self.aged

    @property
    def takes_s(self) -> float:
        """How long the real upgrade makes summaries on this machine, by the measured rate."""
        return self.to_rebuild * self.rebuild_s / self.rebuilt if self.rebuilt else 0.0


def rehearse(scratch: Scratch, jobs: int, live: Store | None = None) -> Rehearsal:
    """Read the copy as the new release reads it.

    `live` has the stored projections, and is only read. Raises `RedisError`, `ArchiveError`,
    `BrokenExecutor`.
    """
    store = open_copy(scratch)
    try:
        archived = store.archive.count()
        aged_in_archive = count_aged(store)
        streams = _fold(scratch, store, jobs)
        with _measure() as rebuilding, progress("rebuilding") as show:
            rebuild(store, show)
        compared = None if live is None else _compare(live, store)
        return Rehearsal(
            streams=streams,
            archived=archived,
            compared=compared,
            aged=None if compared is None else compared.aged + compared.missing + aged_in_archive,
            rebuilt=streams.games,
            rebuild_s=rebuilding(),
            store_bytes=_read_memory(store),
            live_bytes=None if live is None else _read_memory(live),
            archive_bytes=scratch.archive.stat().st_size if scratch.archive.exists() else 0,
        )
    finally:
        store.close()


@contextmanager
def _measure() -> Iterator[Callable[[], float]]:
    """Yield what returns the seconds that the block took, once it has ended."""
    began, ended = monotonic(), [0.0]
    yield lambda: ended[0] - began
    ended[0] = monotonic()


def _fold(scratch: Scratch, store: Store, jobs: int) -> FoldedStreams:
    """Fold every game, tournament and study, and compare each state with its stored hash."""
    games = events = tournaments = studies = 0
    problems: list[Json] = []
    with progress("folding") as show:
        for report in audit_all(partial(open_copy, scratch), jobs, show):
            games, events = games + 1, events + report.version
            problems += ({"game": report.game_id, **one} for one in report.problems)
    for tournament_id, found in verify_tournaments(store):
        tournaments, events = tournaments + 1, events + found.version
        problems += ({"tournament": tournament_id, **one} for one in found.problems)
    for study_id, faults in verify_studies(store):
        studies += 1
        problems += ({"study": study_id, **one} for one in faults)
    return FoldedStreams(games, events, tournaments, studies, problems)


def _compare(live: Store, store: Store) -> Compared:
    return compare_summaries(live.registry, store.registry, iter(sorted(store.ledger.game_ids())))


def _read_memory(store: Store) -> int:
    """Return the bytes of memory of all servers that have games."""
    found: list[Any] = [server.info("memory") for server in list_servers(store.redis)]
    return sum(int(one["used_memory"]) for one in found)
