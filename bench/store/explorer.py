"""The explorer: what its counts take, how fast they grow, and how long a question takes.

`--games` random games, half of each kind, at tables of two to five, seats with ratings from all
bands, are replayed and counted in a file of SQLite. Each is then added `--copies` times more under
another id, with narrow keys that no other game has, which is more than people would bring: they
open alike. Of a copy the wide keys are left out, whose rows would only get larger numbers. So the
rows of narrow keys are an upper bound, and `counted` games are `games` times `copies + 1`.

* `bytes`, `mb_of_100_000`: the file with its indexes; `rows`, `narrow_rows`.
* `replay_ms`, `add_ms`: CPU for a game that is no copy: replayed and asked; added, in batches as
  `build` does.
* `by_key`, `by_game`: CPU of `GET /explorer/{game}` in a web process, whole request, in ms: by the
  keys of the games that were counted, and for random versions of games in a store (`p50`, `p95`).
  `clock_p95` is by the clock of the wall, which other processes of the machine lengthen.

The `ratio` is the least between what was asked for and what was measured: 1 GB for 100 000 games, a
p95 of 50 ms.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.engine.chance import RandomSource
from cartulary.engine.ranking import ranks
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.explorer.book import Book
from cartulary.events.explorer.building import BATCH
from cartulary.events.explorer.counting import BOUNDS, ExploredGame, explore
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.explorer.questions import MARK
from cartulary.games import GAMES, OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings

SEED = 1
WHOLE = 100_000
BYTES, P95_MS = 10**9, 50.0
RATINGS = (None, *(bound + 50.0 for bound in BOUNDS))
STORED = 4
"""Games of each kind in the store, whose versions are asked for."""
ASKED_FOR = 2000
"""Keys that are remembered to be asked for."""

Json = dict[str, Any]


def main(seconds: float = 20.0, games: int = 2000, copies: int = 4) -> dict[str, Any]:
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=rng)
        file = Path(directory) / "explorer.sqlite"
        store.explorer.url = f"sqlite:///{file}"
        asked: list[tuple[str, str]] = []
        measured = _fill(store.explorer.book, rng, games, copies, asked)
        measured |= _weigh(store.explorer.book, file, measured["counted"])
        measured |= _ask(store, rng, asked, seconds / 2)
        store.explorer.close()
        store.close()
    return measured | {"ratio": judge(measured)}


def judge(measured: dict[str, Any]) -> float:
    """Return the least ratio between what was asked for and what was measured."""
    slowest = max(measured["by_key"]["p95"], measured["by_game"]["p95"])
    return float(min(BYTES / 1e6 / measured["mb_of_100_000"], P95_MS / slowest))


def play(name: str, rng: random.Random, number: int) -> tuple[Json, list[Json]]:
    """Play a random game; returns what an archive has of it: its summary and its events."""
    rules, seats, source = GAMES[name], rng.randrange(2, 6), RandomSource(rng)
    options = rules.check(seats, {})
    setup = rules.draw_setup(seats, options, source)
    state = rules.new(seats, options, setup)
    events: list[Json] = [
        {"type": "game_created", "version": 1, "options": options},
        {"type": "game_started", "version": 2, "setup": setup, "chance": state.settle(source)},
    ]
    while not state.over:
        move = state.move_json(rng.choice(state.moves()))
        chance = state.apply(move, source).chance
        events.append({"type": "move_made", "version": 0, "move": move, "chance": chance})
    scores = state.final().scores
    outcomes = ["finished"] * seats
    result = {"scores": scores, "ranks": ranks(scores, outcomes, []), "outcomes": outcomes}
    return {"id": f"{number:026}", "game": name, "result": result}, events


def _fill(
    book: Book, rng: random.Random, games: int, copies: int, asked: list[tuple[str, str]]
) -> dict[str, Any]:
    """Count games in a book; adds keys that were met to `asked`."""
    book.prepare()
    names, replay_s, add_s = tuple(GAMES), 0.0, 0.0
    with progress("counting games") as show:
        for first in range(0, games, BATCH):
            found = []
            for number in range(first, min(first + BATCH, games)):
                name = names[number % len(names)]
                summary, events = play(name, rng, number)
                seats = len(summary["result"]["scores"])
                ratings = [rng.choice(RATINGS) for _ in range(seats)]
                began = time.process_time()
                found.append(explore(summary, events, GAMES[name], ratings))
                replay_s += time.process_time() - began
            began = time.process_time()
            book.add(found)
            add_s += time.process_time() - began
            for copy in range(copies):
                book.add([_copy(game, copy) for game in found])
            asked += [(one.game, rng.choice(sorted(one.keys))) for one in found]
            del asked[: max(len(asked) - ASKED_FOR, 0)]
            show(min(first + BATCH, games), games)
    counted = games * (copies + 1)
    return {
        "games": games,
        "copies": copies,
        "counted": counted,
        "replay_ms": 1000 * replay_s / games,
        "add_ms": 1000 * add_s / games,
    }


def _copy(game: ExploredGame, copy: int) -> ExploredGame:
    """Return a game under another id with its narrow keys alone, which no other game has."""
    end = f"{game.id}.{copy}"
    return game._replace(
        id=end,
        keys=frozenset(key + end for key in game.keys if MARK in key),
        sums={
            count._replace(key=count.key + end): one
            for count, one in game.sums.items()
            if MARK in count.key
        },
    )


def _weigh(book: Book, file: Path, counted: int) -> dict[str, Any]:
    size = sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*"))
    with book.database.reading() as connection:
        rows = {
            name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
            for name in ("explorer_sums", "explorer_best")
        }
    return {"bytes": size, "mb_of_100_000": size / 1e6 * WHOLE / counted, "rows": rows}


# -- asking --------------------------------------------------------------------------------------


def _ask(
    store: Store, rng: random.Random, asked: list[tuple[str, str]], seconds: float
) -> dict[str, Any]:
    settings = replace(WebSettings(), log_requests=False, rates={})
    client = create_app(settings, store, OFFERS).test_client()
    places = list(_list_places(store, rng))

    def get(game: str, position: str) -> None:
        answer = client.get(f"/api/v1/explorer/{game}", query_string={"position": position})
        assert answer.status_code == 200, answer.text

    def ask_by_key() -> None:
        get(*rng.choice(asked))

    def ask_by_game() -> None:
        game, game_id, versions = rng.choice(places)
        get(game, f"{game_id}@{rng.choice(versions)}")

    return {
        "by_key": _time(ask_by_key, seconds / 2),
        "by_game": _time(ask_by_game, seconds / 2),
    }


def _time(ask: Callable[[], None], seconds: float) -> dict[str, float]:
    """Return quantiles in ms of calls for some seconds."""
    cpu: list[float] = []
    clock: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until or len(cpu) < 20:
        began, at = time.process_time(), time.perf_counter()
        ask()
        cpu.append(1000 * (time.process_time() - began))
        clock.append(1000 * (time.perf_counter() - at))
    cpu.sort()
    clock.sort()
    last = len(cpu) * 95 // 100
    return {"p50": cpu[len(cpu) // 2], "p95": cpu[last], "clock_p95": clock[last]}


def _list_places(store: Store, rng: random.Random) -> Iterator[tuple[str, str, list[int]]]:
    """Yield games in a store, with the versions after which a seat decides."""
    player = store.players.create("Ada")[0]
    for name in GAMES:
        for _ in range(STORED):
            seats = (SeatRequest("me"), *[SeatRequest("bot", "random")] * rng.randrange(1, 4))
            table = store.commands.create(Intent(player), NewGame(name, seats)).table
            versions = []
            while table.status == "running":
                versions.append(table.version)
                state = table.state
                assert state is not None
                if table.bot_to_move:
                    move = store.commands.bots.move(table.id, table.position, play_randomly)
                    table = move.table
                else:
                    chosen = state.move_json(rng.choice(state.moves()))
                    table = store.commands.move(Intent(player), table.id, chosen).table
            yield name, table.id, versions
