"""What a fall-back of the store does to an event that was promised: whether it is promised twice.

`CARTULARY_FALL_BACKS=200` makes a long run of it.
"""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from redis.exceptions import RedisError

from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.live.live import Hub
from cartulary.events.live.subscriptions import LiveEvent
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.ledger.test_fall_back import Falling
from tests.events.support.bean_games import ME, any_move
from tests.support.polling import until

pytestmark = pytest.mark.real

FALL_BACKS = int(os.environ.get("CARTULARY_FALL_BACKS", "3"))
GAMES = 3
TILES_LEFT = 3


@pytest.fixture
def server() -> Iterator[Falling]:
    with tempfile.TemporaryDirectory(prefix="twice-") as directory:
        falling = Falling(Path(directory))
        yield falling
        falling.valkey.stop()


def open_game(store: Store, player: Player) -> Table:
    return store.commands.create(Intent(player), NewGame("carcassonne", [ME, ME])).table


def test_a_repeated_append_is_stored_again_when_a_fall_back_has_taken_it(
    server: Falling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way in which an event is promised twice: it is one event, and is in the stream once.

    A reader learns of an event before the process that has appended it, whose answer is lost. The
    store falls back, the process sends the append again, and the store takes it.
    """
    with closing(Store(connect(server.url), OFFERS)) as writer:
        ada = writer.players.create("Ada")[0]
        table = open_game(writer, ada)
        run = writer.redis.evalsha
        promised: list[str] = []
        with closing(Store(connect(server.url), OFFERS)) as reader:

            def lose_first_answer(script: str, *words: Any) -> Any:
                answer = run(script, *words)
                if promised or script != writer.ledger.script:
                    return answer
                promised.append(reader.projector.table(table.id).head)
                server.fall_back()
                assert reader.projector.table(table.id).head == table.head
                return run(script, *words)  # as the client does after a lost connection

            server.copy()
            monkeypatch.setattr(writer.redis, "evalsha", lose_first_answer)
            written = writer.commands.move(Intent(ada, table.version), table.id, any_move(table))
            assert [event["hash"] for event in written.events] == promised
            assert reader.projector.table(table.id).head == written.table.head
            assert reader.projector.table(table.id).version == table.version + 1
            assert reader.audit.game(table.id).problems == []


class Promise(NamedTuple):
    """An event that a client was answered with, or that it found after a request without answer."""

    game_id: str
    version: int
    hash: str
    sent: float
    """When the request was sent. Its answer may come when the store is back: after the append the
    process stores a snapshot, and waits for the store."""


def is_near_end(table: Table) -> bool:
    """Return whether the game ends soon; a reader may need a move that comes after all others."""
    assert isinstance(table.state, CarcassonneState)
    return table.state.left < TILES_LEFT


class Client(threading.Thread):
    """Makes moves in one game, without keys, as the harness of faults does (`bench.faults`)."""

    def __init__(self, url: str, player: Player, table: Table, seed: int) -> None:
        super().__init__(daemon=True)
        self.store = Store(connect(url), OFFERS)
        self.promises: list[Promise] = []
        self.unknown = 0
        self._player, self._table, self._rng = player, table, random.Random(seed)
        self._unsettled: int | None = None
        self.stopping = threading.Event()

    def run(self) -> None:
        """Make moves until the end; whatever the store refuses is tried again."""
        with closing(self.store):
            while not self.stopping.is_set():
                with suppress(RedisError, LedgerError):
                    self._step()

    def _step(self) -> None:
        table = self.store.projector.table(self._table.id)
        if self._unsettled is not None and table.version > self._unsettled:
            after, self._unsettled = self._unsettled, None
            sent = time.monotonic()
            self._promise(self.store.ledger.deliver(table.id, after, 1)[0], sent)
        elif table.running and not is_near_end(table):
            self._move(table)

    def _move(self, table: Table) -> None:
        move, intent = any_move(table, self._rng), Intent(self._player, table.version)
        sent = time.monotonic()
        try:
            written = self.store.commands.move(intent, table.id, move)
        except RedisError:
            self.unknown += 1
            self._unsettled = min(table.version, self._unsettled or table.version)
            raise
        self._unsettled = None
        self._promise(written.events[0], sent)

    def _promise(self, event: dict[str, object], sent: float) -> None:
        version, hash_ = event["version"], event["hash"]
        assert isinstance(version, int)
        self.promises.append(Promise(self._table.id, version, str(hash_), sent))


class Reader(threading.Thread):
    """Follows a game live as the contract asks: it goes back at a reset, and checks the chain."""

    def __init__(self, hub: Hub, store: Store, game_id: str) -> None:
        super().__init__(daemon=True)
        self._hub, self._store, self._game_id = hub, store, game_id
        self.seen: list[LiveEvent] = []
        self.faults: list[str] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        """Follow until the end, on one subscription after the other."""
        while not self.stopping.is_set():
            with suppress(RedisError, LedgerError):
                version = self._store.projector.table(self._game_id).version
                del self.seen[version:]
                with self._hub.subscribe(self._game_id, len(self.seen)) as subscription:
                    while not (self.stopping.is_set() or subscription.closed):
                        if not self._take(subscription.get(0.05)):
                            break

    def has(self, head: str) -> bool:
        """Return whether the last event that was seen has this hash."""
        return [event.hash for event in self.seen[-1:]] == [head]

    def _take(self, events: list[LiveEvent]) -> bool:
        for event in events:
            if event.version <= len(self.seen):
                self.faults.append(f"version {event.version} came twice")
            if event.version != len(self.seen) + 1:
                self.faults.append(f"version {event.version} after {len(self.seen)}")
            if self.seen and event.prev != self.seen[-1].hash:
                self.seen.clear()
                return False
            self.seen.append(event)
        return True


def cut_connections(url: str, rng: random.Random, stopping: threading.Event) -> None:
    """End all connections now and then: answers are lost, and what was asked for is done."""
    with closing(connect(url)) as redis:
        while not stopping.wait(rng.uniform(0.01, 0.05)):
            with suppress(RedisError):
                redis.client_kill_filter(_type="normal", skipme=True)


def let_read(reader: Reader, store: Store, player: Player, game_id: str) -> None:
    """Wait until a reader has seen what is stored.

    A reader of a lost event who comes back when the game is at the version of that event learns of
    it with the next event, which has another `prev`.
    """
    now = store.projector.table(game_id)
    until(lambda: len(reader.seen) == now.version)
    if not reader.has(now.head):
        now = store.commands.move(Intent(player, now.version), game_id, any_move(now)).table
        until(partial(reader.has, now.head))


@pytest.mark.parametrize("seed", range(FALL_BACKS))
def test_what_is_promised_twice_was_taken_by_a_fall_back_and_stored_again(
    server: Falling, seed: int
) -> None:
    rng, quiet = random.Random(seed), threading.Event()
    with closing(Store(connect(server.url), OFFERS)) as store, closing(Hub(store.ledger)) as hub:
        ada = store.players.create("Ada")[0]
        tables = [open_game(store, ada) for _ in range(GAMES)]
        clients = [Client(server.url, ada, table, seed + n) for n, table in enumerate(tables)]
        readers = [Reader(hub, store, table.id) for table in tables]
        cutting = threading.Thread(
            target=cut_connections, args=(server.url, rng, quiet), daemon=True
        )
        for thread in (*clients, *readers, cutting):
            thread.start()
        time.sleep(rng.uniform(0.0, 0.1))
        server.copy()
        time.sleep(rng.uniform(0.0, 0.1))
        server.fall_back()
        fell = time.monotonic()
        time.sleep(rng.uniform(0.1, 0.3))
        quiet.set()
        cutting.join()
        stop(clients)
        for reader, table in zip(readers, tables, strict=True):
            let_read(reader, store, ada, table.id)
        stop(readers)
        assert [reader.faults for reader in readers] == [[]] * GAMES
        for client, table in zip(clients, tables, strict=True):
            check_promises(store, table.id, client.promises, fell)


def stop(threads: Sequence[Client | Reader]) -> None:
    for thread in threads:
        thread.stopping.set()
    for thread in threads:
        thread.join()


def check_promises(store: Store, game_id: str, promises: list[Promise], fell: float) -> None:
    stored = [event["hash"] for event in store.ledger.deliver(game_id)]
    assert len(set(stored)) == len(stored)
    assert store.audit.game(game_id).problems == []
    first: dict[str, Promise] = {}
    for promise in promises:
        if promise.hash in first:
            assert first[promise.hash].sent < fell, "nothing has taken the first"
        first.setdefault(promise.hash, promise)
        if promise.sent > fell:
            assert promise.hash in stored
