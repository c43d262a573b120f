"""Takebacks in a long game, on Valkey: the last move at once, and everything back to the start.

Per game, at version 400 and later: `undo_ms`, a takeback of the last move; `to_start_ms`, of all
moves, with no earlier position in memory. `undo_cpu_ms` and `to_start_cpu_ms` are the time of the
processor in this process, which a busy machine changes less. All are medians; `cpu_ms` at the top
is the largest of the latter.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.settings.garbage import collect_garbage_less_often

GAMES = ("carcassonne", "caylus")
"""Those that are long enough: the bench takes 55 moves back."""

VERSION = 400
SEATS = 4
SEED = 1


def main(seconds: float = 20.0) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS)
        ada, _ = store.players.create("bench")
        collect_garbage_less_often()  # as the service does
        measured: dict[str, Any] = {
            name: measure(store, ada, name, seconds / len(GAMES)) for name in GAMES
        }
        store.close()
    rows = measured.values()
    measured["cpu_ms"] = max(max(row["undo_cpu_ms"], row["to_start_cpu_ms"]) for row in rows)
    return measured


def measure(store: Store, ada: Player, name: str, seconds: float) -> dict[str, float]:
    """Take turns with both kinds of takebacks until the time is over."""
    rng = random.Random(SEED)
    taken: dict[str, list[float]] = defaultdict(list)
    ends = time.perf_counter() + seconds
    while not taken or time.perf_counter() < ends:
        table = long_game(store, ada, name, rng)
        for _ in range(20):
            table = move(store, ada, table, rng)
            with timing(taken, "undo"):
                table = take_back(store, ada, table, None)
        store.projector.forget()
        store.projector.table(table.id)
        with timing(taken, "to_start"):
            take_back(store, ada, table, table.course.started)
    return {key: statistics.median(times) for key, times in taken.items()}


@contextmanager
def timing(taken: dict[str, list[float]], what: str) -> Iterator[None]:
    """Note how long something takes, in milliseconds."""
    began, used = time.perf_counter(), time.process_time()
    yield
    taken[f"{what}_ms"].append(1000 * (time.perf_counter() - began))
    taken[f"{what}_cpu_ms"].append(1000 * (time.process_time() - used))


def long_game(store: Store, ada: Player, name: str, rng: random.Random) -> Table:
    """Play a game of one player on all seats; takebacks keep a short game from its end."""
    table = store.commands.create(Intent(ada), NewGame(name, [SeatRequest("me")] * SEATS)).table
    positions: list[int] = []
    while table.version < VERSION:
        positions.append(table.position)
        table = move(store, ada, table, rng)
        if table.version % 60 == 0:
            table = take_back(store, ada, table, positions[-55])
            del positions[-55:]
    return table


def move(store: Store, ada: Player, table: Table, rng: random.Random) -> Table:
    assert table.state is not None
    chosen = table.state.move_json(rng.choice(table.state.moves()))
    return store.commands.move(Intent(ada, table.version), table.id, chosen).table


def take_back(store: Store, ada: Player, table: Table, to_version: int | None) -> Table:
    return store.commands.proposals.propose(Intent(ada), table.id, "takeback", to_version).table
