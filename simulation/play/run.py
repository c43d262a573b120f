"""A run: a world with its service, its people and its faults, from the seed to what was found."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.faults.journal import Journal
from cartulary.events.server.format import FORMAT as TODAYS_FORMAT
from cartulary.events.store import Store
from simulation.checks.copied_store import CopiedStore
from simulation.checks.sampling import RebuildSampler
from simulation.checks.told_turns import find_wrong_notices
from simulation.faults.cluster import SimulatedCluster
from simulation.faults.failing_bots import let_bots_fail
from simulation.faults.inflicting import Inflictor
from simulation.faults.schedule import PlannedFault, draw_schedule, mask
from simulation.faults.slow_bots import let_bots_take_long
from simulation.play import service
from simulation.play.archive import SimulatedArchive, Visits, check_archive
from simulation.play.cups import CupPeople, judge_cups
from simulation.play.onlookers import Onlooker
from simulation.play.people import SimulatedPeople
from simulation.play.profiles import Profile
from simulation.play.promises import check_promises, check_replicated
from simulation.play.reading import StreamReader
from simulation.play.report import RunReport
from simulation.play.starting import StartWatcher
from simulation.play.tables import TablePeople
from simulation.play.target import SimulatedTarget
from simulation.play.target import use as use_target
from simulation.play.target_faults import TargetFaults
from simulation.play.web import WebClient, WebServer
from simulation.play.witnesses import Witnesses
from simulation.releases.other_release import BEGINS_AFTER_NS, ReleaseSwitch
from simulation.specification.observing.commands import CommandTracer
from simulation.specification.observing.rounds import RoundTracer
from simulation.store.replies import BLOCKED
from simulation.store.server import ModelServer
from simulation.store.values.keyspace import Keyspace
from simulation.world import connection
from simulation.world.appends import note_appends
from simulation.world.network import Network
from simulation.world.patching import begin_world
from simulation.world.world import SECOND, Deadlock

TICK: Final = SECOND // 10
"""How often the store notices the time by itself, in virtual ns."""

ENDS_WITHIN: Final = 3 * 3600 * SECOND
"""So long after the last fault all games must be over, and nothing must be left to do."""


HELD_UP_S: Final = 90.0
"""For so long after such a fault what the notifier has judged may go out late."""


def is_hold_up(fault: PlannedFault) -> bool:
    """Return whether a fault may come between the judgement of a message and its way out."""
    is_mine = fault.target == "notifier" and fault.kind in ("pause", "late", "partition")
    return is_mine or fault.kind in ("slow", "target_slow")


class Run:
    """One run of a seed. An interpreter has one run: the patches stay."""

    def __init__(
        self, seed: str, name: str, profile: Profile, hours: float, only: Collection[int] | None
    ) -> None:
        self.profile, self.hours = profile, hours
        self.world = world = begin_world(seed)
        store = ModelServer(random.Random(f"{seed}/store"))
        self.network = Network(world, store, lambda reply: reply is BLOCKED)
        connection.use(self.network)
        self.network.heard.append(note_appends(world))
        service.prepare_environment()
        self.archive = SimulatedArchive(world) if profile.archives else None
        self.journal = Journal(Path(os.devnull))
        self.cluster = SimulatedCluster(self.network, self.journal) if profile.in_cluster else None
        self.supervisor = service.ProcessKeeper(world)
        self.releases = ReleaseSwitch(world, self.network) if profile.releases else None
        self.inflictor = Inflictor(world, self.network, self.journal)
        self.target = SimulatedTarget(world)
        use_target(self.target)
        self.target_faults = TargetFaults(self.target)
        self.inflictor.learn(self.target_faults.list_kinds())
        if self.archive is not None:
            self.inflictor.learn(self.archive.list_kinds())
        if self.cluster is not None:
            self.inflictor.learn(self.cluster.list_kinds())
        if self.releases is not None:
            self.inflictor.learn(self.releases.list_kinds())
            self.supervisor.choose = self.releases.choose
        self.report = RunReport(seed, name, hours)
        self._start_service()
        self.sampler = self._make_sampler()
        if not profile.releases:  # the lists of another release have another form
            world.look = self.sampler.look
        targets = list(self.supervisor.bodies)
        self.report.schedule = draw_schedule(seed, profile.faults, hours, targets)
        self.inflictor.plan(mask(self.report.schedule, only))
        self._tick()

    def _start_service(self) -> None:
        profile, keep = self.profile, self.supervisor.keep
        webs = [
            WebServer(self.world, f"web-{n + 1}", beats=profile.timed > 0)
            for n in range(profile.webs)
        ]
        # Where the first release has the store, the web processes of today come later.
        wait = BEGINS_AFTER_NS if profile.releases else 0
        for web in webs:
            if wait:
                self.world.at(wait, partial(keep, web.name, web.run))
            else:
                keep(web.name, web.run)
        for number in range(profile.dispatchers):
            keep(f"dispatcher-{number + 1}", service.run_dispatcher)
        keep("worker-1", service.run_fast_worker)
        keep("worker-2", service.run_worker)
        if profile.notices:
            keep("notifier", service.run_notifier)
        client = WebClient(self.world, webs, profile.patience_s)
        client.loses = self.inflictor.loses_answer
        self.crowd = SimulatedPeople(self.world, client, self.journal, profile)
        if self.releases is not None:
            self.releases.first.complain = self.crowd.report
        client.complain = self.supervisor.complain = self.crowd.report
        service.TRACED.complain = self.crowd.report
        for web in webs:
            web.complain = self.crowd.report
            web.find_slow = lambda: self.network.slow_until
        let_bots_fail(self.world.seed, profile.bots_fail)
        let_bots_take_long(self.world.seed, profile.bots_think_s)
        self.crowd.target = self.target if profile.notices else None
        self.cups = [CupPeople(self.crowd, number) for number in range(profile.cups)]
        self.rounds = RoundTracer([f"dispatcher-{n + 1}" for n in range(profile.dispatchers)])
        if profile.cups:
            self.network.heard.append(
                lambda process, words, reply: self.rounds.hear(process.name, words, reply)
            )
        self.commands = CommandTracer()
        if profile.follows_commands:
            self._follow_commands(webs)
        self.visits, self.onlooker = Visits(self.crowd), Onlooker(self.crowd)
        self.live = self._open_streams(webs) if profile.watchers else None
        self.inflictor.after_fall_back.append(self.crowd.history.forget_answers)

    def _open_streams(self, webs: list[WebServer]) -> Any:
        """Return the people who follow games live; the app is loaded only then: it takes long."""
        from simulation.play.streams import LiveApp, LiveWatchers

        for web in webs:
            web.make_app = LiveApp
        live = LiveWatchers(self.crowd, self.network, webs)
        self.network.heard.append(live.appends.hear)
        self.inflictor.learn(live.list_kinds())
        return live

    def _follow_commands(self, webs: list[WebServer]) -> None:
        """Let the tracer hear what the web processes do for each game."""
        commands = self.commands
        self.network.sent.append(
            lambda strand, words: commands.note_sent(strand.process.name, strand, words)
        )
        self.network.heard.append(lambda _process, words, reply: commands.hear(words, reply))
        self.network.after_end.append(commands.note_loss)
        self.inflictor.after_fall_back.append(commands.note_loss)
        for web in webs:
            web.ended = lambda strand, answer: commands.end(strand, answer.value, answer.error)

    def _make_sampler(self) -> RebuildSampler:
        copied = CopiedStore(self.network.now_ms)
        games = self.journal.games
        return RebuildSampler(
            self.world, copied, self._list_spaces, lambda: games, self.crowd.report
        )

    def _list_spaces(self) -> list[Keyspace]:
        """Return the databases of the store, none while it is down."""
        store: Any = self.network.store
        servers: list[ModelServer] = [store] if self.network.is_up else []
        if self.cluster is not None:
            servers += self.cluster.list_masters()
        return [one.spaces[0] for one in servers if 0 in one.spaces]

    def _tick(self) -> None:
        self.network.tick()
        if self.cluster is not None:
            self.cluster.tick()
        self.world.at(TICK, self._tick)

    def play(self, only_first: bool = False) -> RunReport:
        """Play, bring all games to an end, check; returns what was found.

        `only_first`: end at the first finding.
        """
        world, crowd, report = self.world, self.crowd, self.report

        def has_found() -> bool:
            return only_first and bool(crowd.trouble)

        end = int(self.hours * 3600 * SECOND)
        over: list[int] = []

        groups = self._start_people(end, over)
        reader = StreamReader(crowd)
        world.start("reader", reader.run, forgiven=False)
        if self.profile.private:
            world.start("onlooker", self.onlooker.run, forgiven=False)
        Witnesses(crowd).start()
        if self.live is not None:
            self.live.start()
        if self.profile.is_watched:
            self.inflictor.on_load.append(StartWatcher(crowd).watch)
        try:
            world.run(lambda: world.now >= end or has_found(), end)
            crowd.is_hurrying = True
            if self.releases is not None:
                self.releases.upgrade()
            is_over = world.run(
                lambda: has_found() or (len(over) == groups and not self.visits.open),
                end + ENDS_WITHIN,
            )
            if not is_over:
                crowd.report(f"not all games end: {world.describe_waiting()}"[:400])
            if not has_found():
                self._check(reader)
        except Deadlock as error:
            crowd.report(f"deadlock: {error}"[:400])
        report.findings = list(crowd.trouble)
        self._count()
        self.supervisor.is_over = True
        world.end()
        if self.archive is not None:
            self.archive.close()
        if self.releases is not None:
            self.releases.first.close()
        return report

    def _start_people(self, end: int, over: list[int]) -> int:
        """Let groups play until `end`, each noted in `over` then; returns how many there are."""
        world, crowd = self.world, self.crowd
        visit = self.visits.begin if self.archive is not None else None

        def keep(group: TablePeople | CupPeople) -> Callable[[], None]:
            def play() -> None:
                group.keep(lambda: world.now >= end)
                over.append(group.number)

            return play

        for number in range(self.profile.tables):
            people = TablePeople(crowd, number, visit)
            world.start(f"people-{number + 1}", keep(people), forgiven=False)
        for cup in self.cups:
            world.start(f"people-of-cup-{cup.number + 1}", keep(cup), forgiven=False)
        return self.profile.tables + len(self.cups)

    def _check(self, reader: StreamReader) -> None:
        done: list[bool] = []

        def check() -> None:
            watched = [reader.watched] if self.live is None else [reader.watched, self.live.watched]
            store = check_promises(self.crowd, self.report, watched)
            self._check_notices(store)
            streams = {game: store.ledger.deliver(game, 0, 10_000) for game in self.journal.games}
            self.onlooker.check(streams)
            if self.archive is not None:
                self.visits.check(store)
                self.report.archived = check_archive(self.crowd, store)
            if self.releases is not None and not self.releases.await_format(TODAYS_FORMAT):
                self.crowd.report("no earlier release runs, and the format stays as it was")
            self.report.tournaments = judge_cups(self.cups, store)
            for refusal in self.rounds.find_refusals():
                self.crowd.report(refusal)
            for refusal in self.commands.find_refusals():
                self.crowd.report(refusal)
            if self.cluster is not None:
                check_replicated(self.crowd, store)
            store.close()
            done.append(True)

        self.world.start("judge", check, forgiven=False)
        if not self.world.run(lambda: bool(done), self.world.now + ENDS_WITHIN):
            self.crowd.report(f"the judge waits: {self.world.describe_waiting()}"[:400])

    def _check_notices(self, store: Store) -> None:
        """Compare the messages with the turns of all games."""
        journal, target = self.journal, self.target
        if not self.profile.notices:
            return
        hit = [one for one in self.report.schedule if is_hold_up(one)]
        held_up = [(one.at / SECOND, one.at / SECOND + HELD_UP_S) for one in hit]
        for game, opened in journal.games.items():
            for line in find_wrong_notices(
                game,
                store.ledger.deliver(game, 0, 10_000),
                opened.seats,
                [one for one in target.notices if one.game == game],
                [one for one in target.waits if one.game == game],
                self.target_faults.windows,
                held_up,
                self.world.epoch / SECOND,
            ):
                self.crowd.report(f"notices: {line}")
        self.report.told = len(target.notices)

    def _count(self) -> None:
        report, world = self.report, self.world
        report.hours = round(world.now / SECOND / 3600, 3)
        report.moves, report.retries = self.crowd.moves, self.crowd.retries
        report.calls = len(self.crowd.history.calls)
        report.steps, report.requests = world.steps, self.network.requests
        if self.cluster is not None:
            report.requests += self.cluster.count_requests()
        report.looks = self.onlooker.looks
        report.sampled, report.unsettled = self.sampler.looks, self.sampler.unsettled
        report.restarts = self.supervisor.restarts
        report.faults = dict(sorted(Counter(self.inflictor.inflicted).items()))
        report.unmodelled = dict(sorted(self.network.unmodelled.items()))
        report.digest = world.trace.read_digest()
        report.lines = world.trace.lines
