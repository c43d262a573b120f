"""The end of a run: what was promised is compared with what is stored, with the product's means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bench.faults.clients import ServiceReply
from bench.faults.journal import digest
from bench.faults.reckoning import list_rest, reckon
from bench.faults.watchers import Watched
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.events.upkeep.replaying import replay
from simulation.checks.early_flags import find_early_flags
from simulation.checks.history import NotedCall
from simulation.checks.inboxes import find_wrong_items, fold_items, read_items
from simulation.checks.linear import TooWide, find_disorder
from simulation.checks.stored_lists import compare_lists, read_lists
from simulation.play.people import SimulatedPeople
from simulation.play.report import RunReport
from simulation.play.service import open_own_store

QUIET_WITHIN_S = 600
"""Virtual seconds within which the last jobs and entries of the outbox must be done."""


INBOX_OF_ONE_IN = 3
"""Of one in so many games the inboxes are compared: a fold takes as long as its events took."""

SETTLED_WITHIN_S = 120
"""Virtual seconds within which the dispatchers must have looked at all tournaments again."""

READS_WITHIN_S = 120
"""Virtual seconds within which the reader must have read the end of its game."""


class StoreCaller:
    """Answers what the reckoning asks over HTTP, from the store itself."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def insist(self, _method: str, path: str, *_more: Any) -> ServiceReply:
        """Return a page of the events of a game, 404 for an unknown game."""
        split = urlsplit(path)
        game, query = split.path.split("/")[2], parse_qs(split.query)
        after, limit = int(query["after"][0]), int(query["limit"][0])
        events = self._store.ledger.deliver(game, after, limit)
        status = 200 if events or after else 404
        return ServiceReply(status, {"events": events, "next_after": after + len(events)}, 0.0)


def check_promises(
    crowd: SimulatedPeople, report: RunReport, readers: Sequence[dict[str, Watched]]
) -> Store:
    """Check everything that must hold when all games are over; returns the store that was read.

    `readers` are what each kind of reader was shown, by game. Runs in a logical process.
    """
    store = open_own_store()
    if not crowd.profile.archives:
        store.archive_after = None
    _await_quiet(crowd, store)
    _await_readers(crowd, readers)
    caller: Any = StoreCaller(store)
    first, *others = readers
    found = reckon(caller, crowd.journal, first)
    for watched in others:
        found.misshown += reckon(caller, crowd.journal, watched).misshown
        report.watched += len(watched)
    found.unfinished = [line for line in found.unfinished if not _is_given_up(crowd, line)]
    report.flags = len(found.flagged)
    found.flagged.clear()  # people forget their turns: `_check_flags` says which fell too early
    for problem in found.problems():
        crowd.report(problem)
    report.games, report.events, report.taken = found.games, found.events, found.taken
    for game in crowd.journal.games:
        if store.ledger.version(game):
            _audit(crowd, store, game)
            _check_flags(crowd, store, game)
    _check_order(crowd, store)
    _check_inboxes(crowd, store)
    before = read_lists(store.registry, crowd.profile.archives)
    for broken in rebuild(store):
        crowd.report(f"{broken} cannot be folded")
    _await_settled(crowd, store)
    for line in compare_lists(before, read_lists(store.registry, crowd.profile.archives)):
        crowd.report(f"a list differs from its rebuild: {line}")
    for line in replay(store, lambda _done, _all: None).faults:
        crowd.report(f"ratings: {line}")
    report.rated = sum(map(store.rating_reader.count_results, store.rating_reader.list_buckets()))
    return store


def _await_quiet(crowd: SimulatedPeople, store: Store) -> None:
    rest: list[str] = []
    for _ in range(QUIET_WITHIN_S):
        rest = list_rest(store, set())
        if not rest:
            return
        crowd.world.sleep(1.0)
    crowd.report(f"left to do: {', '.join(rest)}")


def _await_readers(crowd: SimulatedPeople, readers: Sequence[dict[str, Watched]]) -> None:
    """Let readers see the end of the games that they follow; else the reckoning names the games."""
    for _ in range(READS_WITHIN_S):
        if all(one.ended is not None for watched in readers for one in watched.values()):
            return
        crowd.world.sleep(1.0)


def _await_settled(crowd: SimulatedPeople, store: Store) -> None:
    """Let a dispatcher look again at the tournaments: after a rebuild none counts as told of."""
    for _ in range(SETTLED_WITHIN_S):
        if not store.tournaments.lists.list_due(store.clock.now_ms(), 1):
            return
        crowd.world.sleep(1.0)
    crowd.report("a tournament is due after a rebuild, and stays so")


def _audit(crowd: SimulatedPeople, store: Store, game: str) -> None:
    audited = store.audit.game(game)
    for problem in audited.problems:
        crowd.report(f"{game}: {problem}")
    if audited.fair is not None and audited.fair.get("proved") is False:
        crowd.report(f"{game}: its draws do not prove: {audited.fair}")


def _is_given_up(crowd: SimulatedPeople, line: str) -> bool:
    return line.split()[0] in crowd.given_up and line.endswith("game_aborted")


def _check_flags(crowd: SimulatedPeople, store: Store, game: str) -> None:
    """Check the flags of a game, where the clocks of the processes agree."""
    if "clock_jump" in crowd.profile.faults:
        return
    for fault in find_early_flags(store.ledger.deliver(game, 0, 10_000)):
        crowd.report(f"{game}: {fault}")


def _check_inboxes(crowd: SimulatedPeople, store: Store) -> None:
    """Compare the inboxes with a fold of some games; a fall-back takes events that have items."""
    if crowd.journal.fallbacks:
        return
    found, is_whole = read_items(store, crowd.players)
    for game in list(crowd.journal.games)[::INBOX_OF_ONE_IN]:
        expected = fold_items(store, game)
        for line in find_wrong_items(game, expected if is_whole else expected & found, found):
            crowd.report(f"inbox: {line}")


def _check_order(crowd: SimulatedPeople, store: Store) -> None:
    """Check each game whose calls no fall-back has torn apart."""
    journal = crowd.journal
    by_game: dict[str, list[NotedCall]] = defaultdict(list)
    for call in crowd.history.calls:
        by_game[call.game].append(call)
    for game, calls in by_game.items():
        if any(journal.may_be_lost(one.called / 1e9, one.returned / 1e9) for one in calls):
            continue
        first, last = calls[0].called / 1e9, calls[-1].returned / 1e9
        if any(first < lost.killed and last > lost.copied for lost in journal.fallbacks):
            continue
        try:
            disorder = find_disorder(calls, store.ledger.version(game))
        except TooWide as error:
            disorder = f"{game}: {error}"
        if disorder:
            crowd.report(f"no order of the calls: {disorder}")


def check_replicated(crowd: SimulatedPeople, store: Store) -> None:
    """Report what was promised and is not stored: a replica had it, so no fail-over takes it."""
    for game, opened in crowd.journal.games.items():
        stored = {one["version"]: digest(one) for one in store.ledger.deliver(game, 0, 10_000)}
        for event in opened.events:
            if not event.seen and stored.get(event.version) != event.digest:
                line = f"version {event.version} was confirmed by a replica, and is lost"
                crowd.report(f"{game}: {line}")
