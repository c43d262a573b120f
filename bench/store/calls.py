"""What a service does all day, in one process: µs of CPU of this process for each call.

`create` opens a game of two seats, `move` makes a move as a thread does, `usual_move` as the event
loop does (judge on the cached table, append, conclude), `bot_turn` lets a bot at random move;
`entry` is what the dispatcher does for an append. `read` returns the newest table of a cached game,
`events` its events as they are delivered, `rebuild` the table of a game of which nothing is
remembered; `lobby` and `games_of` are pages of lists.

Each figure is the median of rounds of the same calls. The time of Valkey is not in them.
"""

from __future__ import annotations

import gc
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from typing import Any

from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.table import Table
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on

TABLES, MOVES, READS = 4, 12, 10
"""Games of a round, and the calls of each of them."""


def main(seconds: float = 20.0) -> dict[str, Any]:
    gc.disable()  # a collection would hit one call or another by luck
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS)
        with closing(store):
            day = Day(store, Dispatcher(store, queues_on(connect(str(valkey.url)))))
            day.live()  # what is made once, and the first round of each call
            day.taken.clear()
            ends = time.process_time() + seconds
            while not day.taken or time.process_time() < ends:
                day.live()
            gc.enable()
            return {f"{name}_us": statistics.median(each) for name, each in day.taken.items()}


class Day:
    """Rounds of calls; `taken` has the µs of CPU of a call in each round, by its name."""

    def __init__(self, store: Store, dispatcher: Dispatcher) -> None:
        self.taken: dict[str, list[float]] = defaultdict(list)
        self._store, self._dispatcher = store, dispatcher
        self._player = store.players.create("bench")[0]
        self._rounds = 0

    def live(self) -> None:
        """Make one round of all calls."""
        self._rounds += 1
        rng = random.Random(self._rounds)
        people, bots = [SeatRequest("me")] * 2, [SeatRequest("bot", "random")] * 2
        tables = self._note("create", [lambda: self._open(people)] * TABLES)
        for name, make in (("move", self._move), ("usual_move", self._move_usually)):
            self._dispatch()
            for _ in range(MOVES):
                tables = self._note(name, [partial(make, one, _choose(one, rng)) for one in tables])
            self._note_whole("entry", self._dispatch, MOVES * TABLES)
        of_bots = [self._open(bots) for _ in range(TABLES)]
        for _ in range(MOVES):
            of_bots = self._note("bot_turn", [partial(self._think, one) for one in of_bots])
        self._dispatch()
        self._read(tables[0].id)

    def _read(self, game: str) -> None:
        store = self._store
        fresh = Projector(store.ledger, store.snapshots, GAMES)
        with closing(fresh):
            self._note("rebuild", [lambda: fresh.table(game)])
        self._note("read", [lambda: store.projector.table(game)] * READS)
        self._note("events", [lambda: store.ledger.deliver(game, 0, 100)] * READS)
        self._note("lobby", [lambda: store.projections.lobby(limit=20)] * READS)
        mine = self._player.id
        self._note("games_of", [lambda: store.projections.games_of(mine, limit=20)] * READS)

    def _note(self, name: str, calls: Iterable[Callable[[], Any]]) -> list[Any]:
        """Make calls, note what each has taken, and return what they return."""
        calls = list(calls)
        began = time.process_time()
        found = [call() for call in calls]
        self.taken[name].append(1e6 * (time.process_time() - began) / len(calls))
        return found

    def _note_whole(self, name: str, call: Callable[[], object], number: int) -> None:
        """Make one call that does the work of so many, and note what each of these has taken."""
        began = time.process_time()
        call()
        self.taken[name].append(1e6 * (time.process_time() - began) / number)

    def _open(self, seats: list[SeatRequest]) -> Table:
        new_game = NewGame("carcassonne", seats)
        return self._store.commands.create(Intent(self._player), new_game).table

    def _move(self, table: Table, move: Any) -> Table:
        intent = Intent(self._player, table.version)
        return self._store.commands.move(intent, table.id, move).table

    def _move_usually(self, table: Table, move: Any) -> Table:
        """Do what the event loop of a web process does (`service.api.fast_moves`)."""
        store = self._store
        prepared = store.commands.prepare_move(Intent(self._player, table.version), table.id, move)
        assert prepared is not None
        store.ledger.send(prepared.append)
        return store.commands.writer.finish(prepared, lambda task, *words: task(*words)).table

    def _think(self, table: Table) -> Table:
        return self._store.commands.bots.move(table.id, table.position, play_randomly).table

    def _dispatch(self) -> None:
        while self._dispatcher.step():
            pass


def _choose(table: Table, rng: random.Random) -> Any:
    assert table.state is not None
    return rng.choice(table.state.legal_moves())
