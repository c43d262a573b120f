"""The memory of a running game: in a process that has it cached, and in the store.

Games of each kind are played at random up to the middle. Then a process that has nothing cached
reads them all, with what everybody may see. `process` is what the interpreter has allocated for
each game (`tracemalloc`), `estimated` what the cache of tables believes, `store` what Valkey holds
for each game: stream, snapshots, summary; all in bytes.
"""

from __future__ import annotations

import gc
import random
import tempfile
import tracemalloc
from typing import Any

from bench.store.archive import read_used
from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.projector import Projector
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS

SEATS = {"carcassonne": 2, "caylus": 3}
MIDDLE = {"carcassonne": 50, "caylus": 90}
"""Events of a game in its middle."""
GAMES_A_SECOND = 4
SEED = 1


def main(seconds: float = 20.0) -> dict[str, Any]:
    number = max(20, int(seconds * GAMES_A_SECOND))
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=random.Random(SEED))
        measured = {name: _measure(store, name, number) for name in GAMES}
        store.close()
    return measured


def _measure(store: Store, name: str, number: int) -> dict[str, float]:
    _play(store, name)  # scripts, indexes and what the engine remembers are there once
    before = read_used(store)
    games = [_play(store, name) for _ in range(number)]
    stored = (read_used(store) - before) / number
    tracemalloc.start()
    try:
        _read_all(store, games)  # connections and what the engine remembers are there then
        gc.collect()
        began = tracemalloc.get_traced_memory()[0]
        projector = _read_all(store, games)
        gc.collect()
        allocated = tracemalloc.get_traced_memory()[0] - began
    finally:
        tracemalloc.stop()
    return {
        "process": allocated / number,
        "estimated": projector.cached_bytes / number,
        "store": stored,
    }


def _play(store: Store, name: str) -> str:
    """Play a game at random up to its middle; return its id."""
    player, _ = store.players.create("bench")
    seats = [SeatRequest("bot", "random")] * SEATS.get(name, 2)
    table = store.commands.create(Intent(player), NewGame(name, seats)).table
    while table.status == "running" and table.version < MIDDLE.get(name, 50):
        table = store.commands.bots.move(table.id, table.version, play_randomly).table
    return table.id


def _read_all(store: Store, games: list[str]) -> Projector:
    """Read all games as a process that has nothing cached; return what has them cached now."""
    projector = Projector(store.ledger, store.snapshots, store.rules)
    for game_id in games:
        projector.table(game_id).text()
    return projector
