"""The dispatcher: from the outbox to projections and jobs.

`python -m cartulary.workers.dispatcher` runs it.

Everything it does can be done twice: projections are guarded by the version, jobs by their ids, by
leases and by the version in the append. It acknowledges an entry only after acting on it, so the
next dispatcher repeats what a killed dispatcher was doing: exactly once in effect. Several may run.

An entry for which a reactor fails is not acknowledged. It is repeated, with all reactors, when it
is `RECLAIM_IDLE_MS` old, at most `DELIVERIES` times; then it is logged and acknowledged, because
entries that always fail would crowd out the others. An entry whose reactor only waits for its
server is repeated until the server answers.

The games that wait for a worker stand in lines (`workers.queues.lines`), and a few of them are in
the queue at any time (`workers.queues.feeder`). Each dispatcher has its own lines.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # nothing of what follows is garbage

import logging
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from redis import Redis, RedisError

from cartulary.events.model.errors import LedgerError
from cartulary.events.model.offers import Offers
from cartulary.events.server.connection import connect
from cartulary.events.server.heartbeat import make_beat
from cartulary.events.server.outbox import TOURNAMENT, OutboxEntry
from cartulary.events.server.servers import find_server
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.tracing.spans import span
from cartulary.events.tracing.starting import start_tracing
from cartulary.events.upkeep.stale_lists import Mender
from cartulary.games import OFFERS
from cartulary.settings.garbage import keep_what_is_loaded
from cartulary.workers.archiving import ArchiveFeeder
from cartulary.workers.exploring import ExplorerFeeder
from cartulary.workers.films.feeding import FilmFeeder
from cartulary.workers.matching import LobbyLooker, SeekLooker, TournamentLooker
from cartulary.workers.mining import MiningFeeder
from cartulary.workers.process.log import configure_logging
from cartulary.workers.process.store_claim import exit_when_unusable
from cartulary.workers.process.table_reader import TableReader
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.lines import Thinks
from cartulary.workers.queues.queues import Queues, queues_on
from cartulary.workers.rating import RatingFeeder
from cartulary.workers.reactors import ReactionOutcome, ReactionRound, Reactor, standard_reactors
from cartulary.workers.returning import MistakeLooker
from cartulary.workers.sweep import Sweep
from cartulary.workers.thinking.analysis_slices import SliceFeeder
from cartulary.workers.thinking.budgets import find_thinkers

BLOCK_MS = 500
"""How long it waits for the next entry: bounds the delay of a stop and of the sweep."""

FEED_MS = 10
"""The same while games wait in the lines: bounds how long a worker waits for its next job."""

READ_AT_ONCE = 25
"""Entries of each shard that are read at once: bounds how long a new entry waits for the others."""

RECLAIM_IDLE_MS = 10_000
"""An entry takes milliseconds; after this time its dispatcher is dead, or a reactor has failed."""

RECLAIM_EVERY_S = 5.0

REPORT_EVERY_S = 1.0
"""Seconds between two reports of the dispatcher to the store."""

DELIVERIES = 5
"""How often an entry for which a reactor fails is tried."""

PAUSE_S = 0.5
"""Pause when a server does not answer."""

Away = dict[Redis | None, RedisError]
"""Servers that have not answered while a batch was handled; None has the games of missing slots."""

log = logging.getLogger("cartulary.dispatcher")


class Dispatcher:
    """Reads the outbox of all shards as `consumer`, until `stop`.

    Each changed table goes to `reactors`, and then to the standard ones. `thinks` says which bots
    think for long; by default none does.
    """

    def __init__(
        self,
        store: Store,
        queues: Queues,
        consumer: str = "dispatcher",
        reactors: Sequence[Reactor] | None = None,
        thinks: Thinks = lambda _table: False,
    ) -> None:
        self._store = store
        self._consumer = consumer
        self.feeder = Feeder(queues, now=store.clock.now_ms, thinks=thinks)
        self._reactors = [
            *(reactors or ()),
            *standard_reactors(store, self.feeder.lines),
        ]
        self._reader = TableReader(store)
        self._sweep = Sweep(store, self.feeder, self._reader)
        self._mender = Mender(store)
        self._slices = SliceFeeder(store, queues)
        self._films = FilmFeeder(store, queues)
        self._archive = ArchiveFeeder(store, queues)
        self._explorer = ExplorerFeeder(store, queues)
        self.mining = MiningFeeder(store, queues)
        self._ratings = RatingFeeder(store)
        self._seeks = SeekLooker(store, queues)
        self._lobby = LobbyLooker(store, queues)
        self._tournaments = TournamentLooker(store, queues)
        self._mistakes = MistakeLooker(store, queues)
        self._stopping = False
        self._reclaim_due = 0.0
        self._beat = make_beat()
        self._report_due = 0.0

    def stop(self) -> None:
        """Let `run` end after the current entries; takes no lock: a signal handler may call it."""
        self._stopping = True

    def run(self) -> None:
        """Run until `stop`; retries while a server does not answer. Raises `UnusableStore`."""
        while not self._stopping:
            self._beat()
            try:
                self._store.claim()
                self.step(BLOCK_MS)
            except RedisError as error:
                log.warning("the server does not answer, trying again: %s", error)
                self._sweep.forget_pauses()
                time.sleep(PAUSE_S)

    def step(self, block_ms: int | None = None) -> int:
        """Handle the entries that exist, waiting up to `block_ms` for one; returns their number."""
        self._show_life()
        entries = self._left_behind()
        entries += self._store.outbox.read(
            self._consumer, READ_AT_ONCE, self._choose_wait(entries, block_ms)
        )
        self.handle(entries)
        if self._sweep.adopting:
            self._sweep.adopt()
        self._sweep.run_when_due()
        self.feeder.feed()
        self._slices.run_when_due()
        self._films.run_when_due()
        self._archive.run_when_due()
        self._explorer.run_when_due()
        self.mining.run_when_due()
        self._ratings.run_when_due()
        self._seeks.run_when_due()
        self._lobby.run_when_due()
        self._tournaments.run_when_due()
        self._mistakes.run_when_due()
        self._mender.step()
        return len(entries)

    def _choose_wait(self, entries: Sequence[OutboxEntry], block_ms: int | None) -> int | None:
        """Return for how many ms to wait for an entry, None not to wait at all."""
        if entries or block_ms is None or self._sweep.adopting or self._sweep.busy:
            return None
        if self.feeder.lines:
            return min(block_ms, FEED_MS)
        pause = self.feeder.lines.find_pause()
        # 0 would mean to wait for ever.
        return block_ms if pause is None else max(1, min(block_ms, pause))

    def _show_life(self) -> None:
        """Show the supervisor that this process works; report to the store once a second."""
        self._beat()
        now = time.monotonic()
        if now >= self._report_due:
            self._report_due = now + REPORT_EVERY_S
            self._store.commands.timeouts.store_counts()
            self._store.show_life("dispatcher")
            self._store.heartbeats.write(
                *self.feeder.read_backlog(),
                *self._sweep.read_backlog(),
                self.feeder.count_by_queue(),
            )

    def _left_behind(self) -> list[OutboxEntry]:
        """Return entries given out and never acknowledged; at the start those of any age."""
        now = time.monotonic()
        if now < self._reclaim_due:
            return []
        idle_ms = RECLAIM_IDLE_MS if self._reclaim_due else 0
        try:
            entries = self._store.outbox.reclaim(self._consumer, idle_ms)
        except RedisError:
            if self._reclaim_due:
                # A node of a cluster is away: the new entries of the others do not wait for it.
                self._reclaim_due = now + RECLAIM_EVERY_S
            raise
        if not entries:  # otherwise there may be another batch of them
            self._reclaim_due = now + RECLAIM_EVERY_S
        return entries

    def handle(self, entries: Sequence[OutboxEntry]) -> None:
        """Act on the games of the entries as they are now, then acknowledge the entries.

        Raises the `RedisError` of a server that does not answer, after the games of the others.
        """
        away: Away = {}
        done = list(self._follow_all(entries, away))
        if len(done) < len(entries) and not away:
            # At the start entries of any age are reclaimed: the failed ones are to wait as well.
            self._reclaim_due = time.monotonic() + RECLAIM_EVERY_S
        self._store.outbox.ack(done)
        for error in away.values():
            raise error

    def _follow_all(self, entries: Sequence[OutboxEntry], away: Away) -> Iterator[OutboxEntry]:
        """Act on the games of the entries; yields the entries that are done with."""
        batch = ReactionRound(self._reactors)
        by_game = attrgetter("kind", "game")
        for (kind, game_id), group in groupby(sorted(entries, key=by_game), key=by_game):
            self._show_life()
            found = list(group)
            if kind == TOURNAMENT:
                outcome = self._follow_tournament(game_id, away)
            else:
                with span("dispatch", "consumer", found[-1].trace, game=game_id):
                    outcome = self._follow(batch, game_id, away)
            self.feeder.feed()
            for entry in found:
                if outcome is ReactionOutcome.DONE or self._is_given_up(outcome, entry):
                    yield entry

    def _follow(self, batch: ReactionRound, game_id: str, away: Away) -> ReactionOutcome:
        """Act on a game as it is now, unless its server is `away`; notes a server that is.

        A server is asked once: an attempt may take as long as the timeout of its connection.
        """
        server: Redis | None = None
        try:
            server = find_server(self._store.redis, game_id)
            if server in away:
                return ReactionOutcome.AWAY
            table = self._reader.read(game_id)
        except RedisError as error:
            away[server] = error
            return ReactionOutcome.AWAY
        if table is None:
            # Repeating the entry would not help; the reader has reported the game.
            return ReactionOutcome.DONE
        return batch.react(table)

    def _follow_tournament(self, tournament_id: str, away: Away) -> ReactionOutcome:
        """Bring the lists to a tournament as it is now; the next look moves it on."""
        try:
            self._store.tournaments.driver.follow(tournament_id)
        except RedisError as error:
            away[None] = error
            return ReactionOutcome.AWAY
        except LedgerError:
            log.exception("tournament %s cannot be followed", tournament_id)
        return ReactionOutcome.DONE

    def _is_given_up(self, outcome: ReactionOutcome, entry: OutboxEntry) -> bool:
        if (
            outcome is not ReactionOutcome.FAILED
            or self._store.outbox.deliveries(entry) < DELIVERIES
        ):
            return False
        log.error("giving up on game %s at version %d", entry.game, entry.version)
        return True


def heed_signals(dispatcher: Dispatcher) -> None:
    """Let SIGINT and SIGTERM stop the dispatcher; call from the main thread."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: dispatcher.stop())


def main(open_store: Callable[[StoreSettings, Offers], Store] = Store.open) -> None:
    """Run a dispatcher until SIGTERM or SIGINT; `open_store` opens the store of the settings."""
    configure_logging()
    start_tracing("dispatcher")
    settings = StoreSettings.from_env()
    store = open_store(settings, OFFERS)
    queues = queues_on(connect(settings.queue_url))
    # One name per host, not per process: consumers of dead processes would pile up in the group.
    dispatcher = Dispatcher(
        store, queues, consumer=socket.gethostname(), thinks=find_thinkers(OFFERS)
    )
    dispatcher.mining.allowed_s = settings.mining_seconds
    heed_signals(dispatcher)
    with exit_when_unusable():
        dispatcher.run()
    store.close()


if __name__ == "__main__":
    keep_what_is_loaded()
    main()
