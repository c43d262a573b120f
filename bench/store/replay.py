"""A finished game read back from its events: rebuilt in full, and at any version by snapshots.

Per game: `rebuild_ms` and `events_per_second` of a full rebuild, nothing remembered, no snapshot;
`engine_ms`, the same moves through the engine alone, and `over_engine`, the rebuild over that;
`state_at_version_ms`, a version at random through snapshots; `bytes_per_event` of the stream in
Valkey, and `bytes_per_game` of everything that is kept of the game. The `ratio` of a game is its
rebuild over one random game of catanatron, measured in turns with it; the one at the top is the
largest.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import Any

from bench.games.engine import catanatron_game
from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.engine.chance import RecordedSource
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.projector import Projector
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS

Task = Callable[[], object]

SEATS = {"carcassonne": 2, "caylus": 3}
SEED = 1
GAMES_EACH = 5
"""Random games differ in length, so several of each take turns."""


def main(seconds: float = 20.0) -> dict[str, Any]:
    random.seed(SEED)  # catanatron draws from the shared generator
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS)
        games = {name: [finished_game(store, name) for _ in range(GAMES_EACH)] for name in GAMES}
        measured = measure(store, games, seconds)
        store.close()
    return measured


def finished_game(store: Store, name: str) -> str:
    """Have bots play a game at random through the commands; returns its id."""
    player, _ = store.players.create("bench")
    seats = [SeatRequest("bot", "random")] * SEATS.get(name, 2)
    table = store.commands.create(Intent(player), NewGame(name, seats)).table
    while table.status == "running":
        table = store.commands.bots.move(table.id, table.version, play_randomly).table
    store.commands.score(table.id)
    return table.id


def measure(store: Store, games: dict[str, list[str]], seconds: float) -> dict[str, Any]:
    """Let all contestants take turns until the time is over, and compare their means."""
    tasks: dict[tuple[str, str], Task] = {("catanatron", "game"): catanatron_game}
    for name, ids in games.items():
        tasks[name, "rebuild"] = in_turn([partial(rebuild, store, one) for one in ids])
        tasks[name, "engine"] = in_turn([engine_replay(store, one) for one in ids])
        tasks[name, "version"] = in_turn([partial(at_some_version, store, one) for one in ids])
    times: dict[tuple[str, str], list[float]] = {task: [] for task in tasks}
    ends = time.perf_counter() + seconds
    while not times["catanatron", "game"] or time.perf_counter() < ends:
        for task, run in tasks.items():
            started = time.perf_counter()
            run()
            times[task].append(1000 * (time.perf_counter() - started))
    means = {task: statistics.fmean(taken) for task, taken in times.items()}
    catan = means["catanatron", "game"]
    measured = {
        name: {**report(store, name, ids, means), "ratio": means[name, "rebuild"] / catan}
        for name, ids in games.items()
    }
    ratio = max(game["ratio"] for game in measured.values())
    return {**measured, "catanatron_game_ms": catan, "ratio": ratio}


def in_turn(tasks: Sequence[Task]) -> Task:
    """Return a task that does the next of `tasks` at each call."""
    following = cycle(tasks)
    return lambda: next(following)()


def rebuild(store: Store, game_id: str) -> None:
    """Read the whole stream and fold it: no cache, no snapshot."""
    store.projector.fold_entries(None, game_id, store.ledger.entries(game_id), None)


def at_some_version(store: Store, game_id: str) -> None:
    """Ask a process that remembers nothing for a state of the past."""
    version = random.randint(1, store.ledger.version(game_id))
    Projector(store.ledger, store.snapshots, store.rules).table(game_id, version)


def engine_replay(store: Store, game_id: str) -> Callable[[], None]:
    """Return the same game without a ledger: recorded moves and draws through the engine."""
    table = store.projector.table(game_id)
    events = store.ledger.events(game_id)
    moves = [event["move"] for event in events if event["type"] == "move_made"]
    draws = [drawn for event in events for drawn in event.get("chance", ())]
    game = GAMES[table.game]

    def replay() -> None:
        source = RecordedSource(draws)
        state = game.new(len(table.seats), table.options, table.setup)
        state.settle(source)
        for move in moves:
            state.play(state.find(move))
            state.settle(source)

    return replay


def report(
    store: Store, name: str, ids: Sequence[str], means: dict[tuple[str, str], float]
) -> dict[str, float]:
    """Return the figures of one game; times in milliseconds, all of them means."""
    events = statistics.fmean(store.ledger.version(one) for one in ids)
    stream = statistics.fmean(memory(store, keys.events(one)) for one in ids)
    rebuilt, engine = means[name, "rebuild"], means[name, "engine"]
    return {
        "events": events,
        "rebuild_ms": rebuilt,
        "events_per_second": 1000 * events / rebuilt,
        "engine_ms": engine,
        "over_engine": rebuilt / engine,
        "state_at_version_ms": means[name, "version"],
        "bytes_per_event": stream / events,
        "bytes_per_game": statistics.fmean(
            sum(memory(store, key) for key in every_key(one)) for one in ids
        ),
    }


def every_key(game_id: str) -> list[str]:
    """Return the keys that hold something of a game alone."""
    return [
        of_game(game_id)
        for of_game in (keys.events, keys.snapshots, keys.idempotency, keys.summary)
    ]


def memory(store: Store, key: str) -> int:
    """Return the bytes that a key takes in the server."""
    return store.redis.memory_usage(key, samples=0) or 0
