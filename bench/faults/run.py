"""A run: clients play, faults come in an order that the seed decides, then all is reckoned."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.clients import ReconnectingClient
from bench.faults.disk import mount_disk
from bench.faults.failovers import CLUSTER_KINDS, open_cluster
from bench.faults.journal import Journal
from bench.faults.kinds import KINDS, FaultTargets, Skipped
from bench.faults.machine import make_machine
from bench.faults.notice_kinds import NAMED, NOTICE_KINDS
from bench.faults.notice_receiver import NoticeReceiver
from bench.faults.notice_reckoning import FaultWindow, NoticeReckoning, reckon_notices
from bench.faults.notice_telling import TurnNotices
from bench.faults.people import Habits
from bench.faults.playing import PlayingThreads
from bench.faults.proxy import Proxy
from bench.faults.reckoning import (
    Reckoning,
    check_stored,
    count_archived,
    find_rest,
    read_events,
    reckon,
)
from bench.faults.service import NotInTime, ServiceProcess, until
from bench.faults.watchers import Watched, Watchers

DISK_MB = 512
"""Size of the small file system: room for some hundred thousand moves."""

RECOVERED_WITHIN_S = 90.0
"""Seconds within which the play must go on after a fault."""

WATCHERS = 3
"""Number of clients that follow games live."""

PAUSE_S = 0.3
"""At most so many seconds lie between a fault and the next one."""

HASTE = 0.2
"""Share of the faults after which the next fault does not wait until the play goes on."""

HABITS = Habits()
"""What people do besides moves, unless the caller says otherwise."""

FINISHED_WITHIN_S = 300.0
"""Seconds within which the clients must finish their games when no fault comes any more."""


@dataclass
class Inflicted:
    """A fault that was inflicted; moments of `time.monotonic`.

    `recovered` is the seconds from the end of the fault until a person made a move and the bots
    answered; None when that did not happen in time, or another fault came first.
    """

    kind: str
    began: float
    lifted: float
    recovered: float | None = None
    hasty: bool = False


@dataclass
class RunOutcome:
    """What a run has found."""

    seed: int
    faults: list[Inflicted] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    reckoning: Reckoning = field(default_factory=Reckoning)
    notices: NoticeReckoning | None = None
    retries: int = 0
    longest_wait: float = 0.0
    longest_round: float = 0.0
    played_s: float = 0.0

    def problems(self) -> Iterator[str]:
        """Yield a line for every promise that was broken."""
        yield from self.reckoning.problems()
        if self.notices is not None:
            yield from self.notices.problems()


class FaultRun:
    """One run. `faults` is the number of faults, 0 for as many as there is time for.

    `minutes` ends the faults in any case; `kinds` are names of `KINDS`; `habits` say what people do
    besides moves; `disk_mb` is the size of the disk that can be full; `cluster`: the games are in a
    cluster, with the durability `replicated`, and `durability` is that of its nodes; finished games
    are archived after `archive_after` seconds, None for as long as `serve` waits; `notices`: people
    move when a webhook has notified them of their turn; `pause_s` is the longest time between two
    faults; `say` gets lines for people.
    """

    def __init__(
        self,
        minutes: float,
        seed: int,
        faults: int = 0,
        clients: int = 6,
        kinds: Sequence[str] = (),
        durability: str = "everysec",
        habits: Habits = HABITS,
        disk_mb: int = DISK_MB,
        cluster: bool = False,
        archive_after: int | None = None,
        notices: bool = False,
        pause_s: float = PAUSE_S,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._until_s, self._most = minutes * 60, faults
        self._cluster, self._notified, self._pause_s = cluster, notices, pause_s
        known = CLUSTER_KINDS if cluster else KINDS
        self._known = known | NOTICE_KINDS if notices else known
        self._clients, self._kinds, self._say = clients, list(kinds or self._known), say
        self._durability, self._disk_mb, self._habits = durability, disk_mb, habits
        self._rng = random.Random(f"faults of {seed}")
        self._archive_after = archive_after
        self._watched: dict[str, Watched] = {}
        self._notices: TurnNotices | None = None
        self.outcome = RunOutcome(seed)

    def main(self, directory: Path | None = None) -> RunOutcome:
        """Run on files in a directory, by default a temporary one; returns what was found."""
        with ExitStack() as stack:
            if directory is None:
                directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            directory.mkdir(parents=True, exist_ok=True)
            disk = stack.enter_context(mount_disk(directory / "disk", self._disk_mb))
            machine = make_machine(directory)
            journal = Journal(directory / "journal.ndjson")
            stack.callback(journal.close)
            environment = dict(machine.environment) if machine else {}
            if self._archive_after is not None:
                environment["CARTULARY_ARCHIVE_AFTER"] = str(self._archive_after)
            nodes = registry = None
            if self._cluster:
                opened = stack.enter_context(open_cluster(directory, self._durability))
                nodes, registry, addresses = opened
                environment |= addresses
            receiver = None
            if self._notified:
                receiver = stack.enter_context(NoticeReceiver())
                environment |= receiver.environment
                self._notices = TurnNotices(receiver)
            durability = "replicated" if self._cluster else self._durability
            service = stack.enter_context(
                ServiceProcess(
                    (disk.path if disk else directory) / "data",
                    f"--durability={durability}",
                    environment=environment,
                    log=directory / "serve.log",
                )
            )
            proxy = stack.enter_context(Proxy(service.port))
            always = self._durability == "always"
            others = nodes, registry, always, self._archive_after is not None, receiver
            scene = FaultTargets(service, proxy, journal, self._rng, disk, machine, *others)
            self._play(scene)
            self._reckon(scene)
        return self.outcome

    def _play(self, scene: FaultTargets) -> None:
        """Let the clients play through all faults, and to the end of their games."""
        whom = scene.proxy.port, scene.journal, self._clients, self.outcome.seed, self._habits
        told = self._notices
        players = PlayingThreads(*whom, told, told.subscribe) if told else PlayingThreads(*whom)
        watchers = Watchers(scene.proxy.port, scene.journal, WATCHERS)
        began = time.monotonic()
        players.start()
        watchers.start()
        self._inflict_all(scene, began + self._until_s)
        self._say("no more faults; the clients finish their games")
        if late := players.stop(FINISHED_WITHIN_S):
            scene.journal.note_trouble(f"{late} clients did not finish their games")
        self.outcome.played_s = time.monotonic() - began
        watchers.stop()
        self._watched = watchers.watched

    def _inflict_all(self, scene: FaultTargets, deadline: float) -> None:
        for kind in self._choose():
            enough = self._most and len(self.outcome.faults) >= self._most
            if enough or time.monotonic() > deadline:
                return
            if kind not in self.outcome.skipped:
                self._inflict(kind, scene)

    def _choose(self) -> Iterator[str]:
        """Yield kinds: first each of them once, in any order, then by their weights."""
        yield from self._rng.sample(self._kinds, len(self._kinds))
        weights = [self._known[kind].weight for kind in self._kinds]
        while True:
            yield from self._rng.choices(self._kinds, weights)

    def _inflict(self, kind: str, scene: FaultTargets) -> None:
        fault = Inflicted(kind, time.monotonic(), 0.0, hasty=self._rng.random() < HASTE)
        clear_up: Callable[[], None] | None = None
        try:
            clear_up = self._known[kind].do(scene)
        except Skipped as reason:
            if scene.nodes is None and (scene.disk is None or scene.machine is None):
                self.outcome.skipped[kind] = str(reason)
            return
        except (NotInTime, TimeoutError) as error:
            scene.journal.note_trouble(f"{kind}: {error}")
        fault.lifted = time.monotonic()
        self.outcome.faults.append(fault)
        self._refuse_end(kind, scene)
        if not fault.hasty:
            self._await_recovery(fault, scene.journal)
        if clear_up is not None:
            self._clear_up(kind, clear_up, scene.journal)
        self._refuse_end(kind, scene)
        self._report(fault, scene.journal)
        time.sleep(self._rng.uniform(0.0, self._pause_s))

    def _clear_up(self, kind: str, clear_up: Callable[[], None], journal: Journal) -> None:
        try:
            clear_up()
        except (NotInTime, TimeoutError) as error:
            journal.note_trouble(f"{kind}: {error}")

    def _refuse_end(self, kind: str, scene: FaultTargets) -> None:
        """Start a `serve` again that has ended, which is trouble."""
        if not scene.service.running:
            scene.journal.note_trouble(f"{kind}: serve has ended")
            scene.service.start()

    def _await_recovery(self, fault: Inflicted, journal: Journal) -> None:
        since = len(journal.rounds)
        try:
            at = until(lambda: journal.recovered_after(fault.lifted, since), RECOVERED_WITHIN_S)
            fault.recovered = (at or 0.0) - fault.lifted
        except NotInTime:
            journal.note_trouble(f"{fault.kind}: no recovery within {RECOVERED_WITHIN_S:g} s")

    def _report(self, fault: Inflicted, journal: Journal) -> None:
        lasted = fault.lifted - fault.began
        after = "in haste" if fault.hasty else "did not recover in time"
        if fault.recovered is not None:
            after = f"recovered in {fault.recovered:.2f} s"
        number = len(self.outcome.faults)
        journal.note_fault(fault.kind, fault.began, fault.lifted)
        self._say(f"{number} {fault.kind}: lasted {lasted:.2f} s, {after}")

    def _reckon(self, scene: FaultTargets) -> None:
        """Restart the service, so that only what is on the disk counts, and compare everything."""
        scene.service.stop()
        scene.service.start()
        scene.service.await_ready()
        caller = ReconnectingClient(scene.proxy.port, scene.journal)
        rest = find_rest(scene.service, self._archive_after)
        outcome = self.outcome
        outcome.reckoning = self._compare(scene, caller)
        outcome.notices = self._reckon_notices(scene, caller)
        caller.close()
        scene.service.stop()
        if self._archive_after is not None:
            outcome.reckoning.note_archived(count_archived(scene.service))
        outcome.reckoning.trouble += [f"left to do: {line}" for line in rest]
        check_stored(scene.service, ("audit",), outcome.reckoning)
        replayed = check_stored(scene.service, ("ratings", "--replay"), outcome.reckoning)
        outcome.reckoning.rated = int(replayed.partition(" ")[0] or 0)
        outcome.retries = scene.journal.retries
        outcome.longest_wait = scene.journal.longest_wait
        rounds = (one.answered - one.sent for one in scene.journal.rounds)
        outcome.longest_round = max(rounds, default=0.0)

    def _compare(self, scene: FaultTargets, caller: ReconnectingClient) -> Reckoning:
        """Compare what was promised with what is stored."""
        return reckon(caller, scene.journal, self._watched)

    def _reckon_notices(
        self, scene: FaultTargets, caller: ReconnectingClient
    ) -> NoticeReckoning | None:
        """Compare the messages that came with the turns of the people; None: nothing is sent."""
        if self._notices is None or scene.receiver is None:
            return None
        faults = self.outcome.faults
        return reckon_notices(
            scene.journal.games,
            lambda game: list(read_events(caller, game)),
            scene.receiver.list_notices(),
            self._notices.waits,
            [FaultWindow(f.kind, f.began, f.lifted) for f in faults if f.kind in NAMED],
            scene.journal.fallbacks,
        )
