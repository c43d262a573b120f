"""The dispatcher: from the outbox to projections and jobs.

`python -m cartulary.workers.dispatcher` runs it.

Everything it does can be done twice: projections are guarded by the version, jobs by their ids and
by the version in the append. It acknowledges an entry only after acting on it, so whatever was in
hand when it was killed is done again by the next one: exactly once in effect. Several may run.
"""

from __future__ import annotations

import logging
import signal
import socket
import time
from collections.abc import Sequence

from redis import RedisError
from rq import Queue

from cartulary.bots.catalogue import OFFERS
from cartulary.events.connection import connect
from cartulary.events.errors import LedgerError
from cartulary.events.outbox import Entry
from cartulary.events.settings import Settings
from cartulary.events.store import Store
from cartulary.events.table import Table
from cartulary.workers.log import configure_logging
from cartulary.workers.queue import Kind, put, queue_on
from cartulary.workers.sweep import Sweep

BLOCK_MS = 500
"""How long it waits for the next entry: bounds the delay of a stop and of the sweep."""

RECLAIM_IDLE_MS = 10_000
"""An entry takes milliseconds; one that is in hand for so long belongs to a dead dispatcher."""

RECLAIM_EVERY_S = 5.0

PAUSE_S = 0.5
"""Pause when a server does not answer."""

log = logging.getLogger("cartulary.dispatcher")


def job_for(table: Table) -> Kind | None:
    """Return the job that a game at this version waits for, None when people are to move."""
    if table.status == "scoring":
        return "score"
    return "bot" if table.bot_to_move is not None else None


class Dispatcher:
    """Reads the outbox of all shards as `consumer`, until `stop`."""

    def __init__(self, store: Store, queue: Queue, consumer: str = "dispatcher") -> None:
        self._store = store
        self._queue = queue
        self._consumer = consumer
        self._sweep = Sweep(store.projections, queue)
        self._stopping = False
        self._reclaim_due = 0.0

    def stop(self) -> None:
        """Let `run` end after the entries in hand; takes no lock: a signal handler may call it."""
        self._stopping = True

    def run(self) -> None:
        """Go on until told to stop; a server that is away is waited for."""
        while not self._stopping:
            try:
                self.step(BLOCK_MS)
            except RedisError as error:
                log.warning("the server does not answer, trying again: %s", error)
                time.sleep(PAUSE_S)

    def step(self, block_ms: int | None = None) -> int:
        """Handle what is there, waiting up to `block_ms` for something; returns the entries."""
        entries = self._left_behind()
        entries += self._store.outbox.read(self._consumer, block_ms=None if entries else block_ms)
        self.handle(entries)
        self._sweep.run_when_due()
        return len(entries)

    def _left_behind(self) -> list[Entry]:
        """Return entries given out and never acknowledged: at the start, whoever had them."""
        now = time.monotonic()
        if now < self._reclaim_due:
            return []
        idle_ms = RECLAIM_IDLE_MS if self._reclaim_due else 0
        entries = self._store.outbox.reclaim(self._consumer, idle_ms)
        if not entries:  # there may be more than one batch of them
            self._reclaim_due = now + RECLAIM_EVERY_S
        return entries

    def handle(self, entries: Sequence[Entry]) -> None:
        """Act on the games of the entries as they are now, then acknowledge the entries."""
        for game_id in dict.fromkeys(entry.game for entry in entries):
            try:
                self._follow(self._store.projector.table(game_id))
            except LedgerError:
                # Trying again would not help, and other games wait; `audit` finds the game.
                log.exception("game %s cannot be followed", game_id)
        self._store.outbox.ack(entries)

    def _follow(self, table: Table) -> None:
        self._store.projections.apply(table)
        kind = job_for(table)
        if kind is not None:
            put(self._queue, kind, table.id, table.version)


def heed_signals(dispatcher: Dispatcher) -> None:
    """Let SIGINT and SIGTERM stop it; call from the main thread."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: dispatcher.stop())


def main() -> None:
    """Run a dispatcher until SIGTERM or SIGINT."""
    configure_logging()
    settings = Settings.from_env()
    store = Store.open(settings, OFFERS)
    queue = queue_on(connect(settings.queue_url))
    # One name per host, not per process: consumers of dead processes would pile up in the group.
    dispatcher = Dispatcher(store, queue, consumer=socket.gethostname())
    heed_signals(dispatcher)
    dispatcher.run()
    store.close()


if __name__ == "__main__":
    main()
