"""The reckoning: what the service has stored is compared with what it has acknowledged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from bench.faults.clients import ReconnectingClient
from bench.faults.journal import ON_DELIVERY, Acknowledged, Journal, Json, OpenedGame, digest
from bench.faults.kinds import find_busy
from bench.faults.service import ROOT, NotInTime, ServiceProcess, until
from bench.faults.watchers import Watched
from cartulary.cli.shared.environment import ARCHIVE_FILE
from cartulary.events.archive.archive import Archive
from cartulary.events.model.clock import SYSTEM
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.queues.queues import queues_on

QUIET_WITHIN_S = 60.0
"""Seconds within which the last jobs and entries of the outbox must be done."""


@dataclass
class Reckoning:
    """What was found: the lists must be empty; a fall-back of the store has `taken` the rest."""

    games: int = 0
    events: int = 0
    moves: int = 0
    leavings: int = 0
    takebacks: int = 0
    timed: int = 0
    acknowledged: int = 0
    taken: int = 0
    games_taken: int = 0
    watched: int = 0
    archived: int = 0
    rated: int = 0
    lost: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    unchained: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    flagged: list[str] = field(default_factory=list)
    """Flags that fell although everybody moves as soon as that is possible."""
    misshown: list[str] = field(default_factory=list)
    """Games whose stream of events, once complete, was not what is stored."""
    trouble: list[str] = field(default_factory=list)

    def note_archived(self, count: int) -> None:
        """Note how many games are in the archive; with none, nothing was tried there."""
        self.archived = count
        if self.games and not count:
            self.trouble.append("no game was archived")

    @property
    def clean(self) -> bool:
        """Return whether the service has kept all promises."""
        return not any(self.problems())

    def problems(self) -> Iterator[str]:
        """Yield a line for every promise that was broken."""
        for name in (
            "lost",
            "changed",
            "doubled",
            "gaps",
            "unchained",
            "unfinished",
            "flagged",
            "misshown",
            "trouble",
        ):
            counted = Counter(getattr(self, name))
            yield from (f"{name}: {count} x {line}" for line, count in counted.items())


def reckon(
    caller: ReconnectingClient, journal: Journal, watched: Mapping[str, Watched] | None = None
) -> Reckoning:
    """Compare every game of the journal, and what `watched` has seen of it, with its stream."""
    found = Reckoning(trouble=list(journal.trouble))
    for opened in journal.games.values():
        events = _reckon_game(caller, journal, opened, found)
        seen = (watched or {}).get(opened.game)
        if seen is not None and events:
            _compare_watched(journal, opened.game, seen, events, found)
    return found


def _compare_watched(
    journal: Journal, game: str, seen: Watched, events: list[Json], found: Reckoning
) -> None:
    if seen.ended is not None and journal.may_be_lost(seen.ended, seen.ended):
        return  # a fall-back took the end that the watcher saw, and the game had another end
    found.watched += 1
    difference = _find_difference(seen, events)
    if difference:
        found.misshown.append(f"{game}: {difference}")


def _find_difference(seen: Watched, events: list[Json]) -> str:
    """Say how what a watcher has seen differs from what is stored; empty: not at all."""
    shown = f"{len(seen.events)} of {len(events)} events"
    pairs = zip(seen.digests(), map(digest, events), strict=False)
    wrong = next((number for number, (was, stored) in enumerate(pairs, 1) if was != stored), None)
    if wrong is not None:
        return f"{shown}, version {wrong} differs ({seen.events[wrong - 1]['type']})"
    if len(seen.events) != len(events):
        return shown
    return f"{shown}, but the stream did not end" if seen.ended is None else ""


def _reckon_game(
    caller: ReconnectingClient, journal: Journal, opened: OpenedGame, found: Reckoning
) -> list[Json]:
    """Compare a game with its stream, and return its events."""
    found.acknowledged += len(opened.events)
    events = list(read_events(caller, opened.game))
    if not events:
        _count_taken_game(journal, opened, found)
        return events
    found.games += 1
    found.events += len(events)
    counted = Counter(event["type"] for event in events)
    found.moves += counted["move_made"]
    found.leavings += counted["seat_forfeited"] + counted["stand_in_seated"]
    found.takebacks += counted["moves_taken_back"]
    found.timed += events[0].get("pace") is not None
    flags = (event["version"] for event in events if event["type"] == "turn_timed_out")
    found.flagged += [f"{opened.game} version {version}" for version in flags]
    if [event["version"] for event in events] != [*range(1, len(events) + 1)]:
        found.gaps.append(opened.game)
    if events[-1]["type"] != "game_scored":
        found.unfinished.append(f"{opened.game} ends with {events[-1]['type']}")
    found.unchained += [f"{opened.game} version {version}" for version in find_unchained(events)]
    _compare(journal, opened, events, found)
    return events


def find_unchained(events: list[Json]) -> list[int]:
    """Return the versions whose `prev` is not the hash of the event before, as the contract has it.

    Computed here a second time, because the service would agree with its own mistakes.
    """
    expected, broken = "0" * 64, []
    for event in events:
        if event.get("prev") != expected:
            broken.append(event["version"])
        given = event.get("upcast") or event.get("masked")
        expected = event["hash"] if given else hash_event(event)
        if event.get("hash") != expected:
            broken.append(event["version"])
    return broken


def hash_event(event: Json) -> str:
    """Return the SHA-256 of the canonical JSON of an event as it was appended."""
    appended = {key: value for key, value in event.items() if key not in ON_DELIVERY}
    text = json.dumps(appended, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _count_taken_game(journal: Journal, opened: OpenedGame, found: Reckoning) -> None:
    if journal.may_be_lost(opened.sent, opened.came):
        found.games_taken += 1
        found.taken += len(opened.events)
    else:
        found.lost.append(f"game {opened.game}")


def _compare(journal: Journal, opened: OpenedGame, events: list[Json], found: Reckoning) -> None:
    """Compare what was acknowledged of a game with its events, in both directions."""
    stored = {event["version"]: digest(event) for event in events}
    kept: dict[int, Acknowledged] = {}
    for event in opened.events:
        if stored.get(event.version) == event.digest:
            first = kept.get(event.version)
            if first is not None and journal.may_be_lost(first.sent, first.came):
                # A fall-back took it, and the process that had sent the append sent it again.
                found.taken += 1
            elif first is not None:
                found.doubled.append(_describe_twice(opened, events, first, event))
            kept[event.version] = event
        elif journal.may_be_lost(event.sent, event.came):
            found.taken += 1
        else:
            where = found.changed if event.version in stored else found.lost
            where.append(f"{opened.game} version {event.version}")
    found.doubled += [
        f"{opened.game} version {event['version']} of seat {event['seat']} was never answered for"
        for event in events
        if event["type"] == "move_made"
        and event["seat"] in opened.seats
        and event.get("by") != "stand_in"
        and event["version"] not in kept
    ]


def _describe_twice(
    opened: OpenedGame, events: list[Json], first: Acknowledged, again: Acknowledged
) -> str:
    kind = events[again.version - 1]["type"]
    ways = " and ".join("seen" if one.seen else "answered" for one in (first, again))
    apart = again.came - first.came
    return f"{opened.game} version {again.version} ({kind}) twice: {ways}, {apart:.2f} s apart"


def read_events(caller: ReconnectingClient, game: str) -> Iterator[Json]:
    """Yield the events of a game, none of a game that is not there."""
    after = 0
    while True:
        answer = caller.insist("GET", f"/games/{game}/events?after={after}&limit=500")
        if answer.status == 404:
            return
        yield from answer.body["events"]
        if not answer.body["events"]:
            return
        after = answer.body["next_after"]


def find_rest(service: ServiceProcess, archive_after: int | None = None) -> list[str]:
    """Return what is left to do in the store after a while; an empty list when all is done.

    Games that are over are to be archived as well, unless `archive_after` is None.
    """
    with open_store_of(service) as store:
        store.archive_after = archive_after
        workers = set(service.pids("worker"))
        try:
            until(lambda: not list_rest(store, workers), QUIET_WITHIN_S, 0.2)
        except NotInTime:
            return list_rest(store, workers)
    return []


@contextmanager
def open_store_of(service: ServiceProcess) -> Iterator[Store]:
    """Yield the store of a service that runs."""
    events, queues = service.addresses
    registry = connect(queues)
    store = Store(connect(events), OFFERS, registry=registry if events != queues else None)
    try:
        yield store
    finally:
        store.close()
        registry.close()


def list_rest(store: Store, workers: set[int]) -> list[str]:
    """Return what is left to do now.

    RQ counts the job of a killed worker as running for 90 s more. That does no harm, because the
    sweep has put another job into the queue: only the jobs of workers that live count here.
    """
    now = SYSTEM.now_ms()
    # All that are over, except those that the archiver has put off.
    before = 0 if store.archive_after is None else now
    counts = {
        "jobs in the queue": queues_on(store.registry).count,
        "jobs that run": len(workers.intersection(find_busy(store.registry))),
        "entries in the outbox": store.outbox.depth(),
        "games that wait": len(store.projections.late(now, 1000)),
        "games to archive": store.projections.finished.count_before(before),
    }
    return [f"{count} {name}" for name, count in counts.items() if count]


def count_archived(service: ServiceProcess) -> int:
    """Return how many games are in the archive in the directory of the service."""
    archive = Archive.open(f"sqlite:///{service.data / ARCHIVE_FILE}", migrate=False)
    try:
        return archive.count()
    finally:
        archive.close()


def run_command(service: ServiceProcess, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `cartulary` on the directory of a service, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "cartulary.cli", *words, f"--data={service.data}"],
        cwd=ROOT,
        env=dict(service.environment),
        capture_output=True,
        text=True,
        check=False,
    )


def check_stored(service: ServiceProcess, command: Sequence[str], found: Reckoning) -> str:
    """Run a command of `cartulary` that checks the store, on the directory of the service.

    Notes as trouble what it says when it fails; returns what it says otherwise.
    """
    ran = run_command(service, *command)
    if ran.returncode:
        found.trouble.append(f"{' '.join(command)}: {ran.stdout}{ran.stderr}")
        return ""
    return ran.stdout
