"""The explorer: what its counts take, how fast they grow, and how long a question takes.

`--games` random games, half of each kind, at tables of two to five, seats with ratings from all
bands, are replayed and counted in a file of SQLite. Each is then added `--copies` times more under
another id, with narrow keys that no other game has, which is more than people would bring: they
open alike. Of a copy the wide keys are left out, whose rows would only get larger numbers. So the
rows of narrow keys are an upper bound, and `counted` games are `games` times `copies + 1`.

* `bytes`, `mb_of_100_000`: the file with its indexes; `rows`, `narrow_rows`.
* `replay_ms`, `add_ms`: CPU for a game that is no copy: replayed and asked; added, in batches as
  `build` does.
* `by_key`, `by_game`: `GET /explorer/{game}` in a web process, whole request with the games to
  learn from, in ms: by the keys of the games that were counted, and for random versions of games in
  a store. `p50`, `p95`: CPU. `clock`: the p95 of each of `--tries` by the clock of the wall, which
  other processes lengthen; `load`: how many of them wanted to run, as the system says.

All games are archived, with people in all seats, none of whom hides. `--folder` keeps the files
there, and asks those that are there already instead of counting again.

The `ratio` is the least between what was asked for and what was measured: 1 GB for 100 000 games, a
p95 of 50 ms by the clock in the median try.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from bench.store._finished import copy as copy_game
from bench.store._finished import play as play_whole
from bench.store._row_writer import RowWriter
from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.engine.chance import RandomSource
from cartulary.engine.ranking import ranks
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import GameRow
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.explorer.book import Book
from cartulary.events.explorer.building import BATCH
from cartulary.events.explorer.counting import BOUNDS, ExploredGame, explore
from cartulary.events.explorer.tables import best, hash_key, sums
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


def main(
    seconds: float = 20.0, games: int = 2000, copies: int = 4, tries: int = 3, folder: str = ""
) -> dict[str, Any]:
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        place = Path(folder or directory)
        reader = partial(ArchiveReader, open_=lambda _noted: Archive.open(_name(place, "archive")))
        store = Store(connect(str(valkey.url)), OFFERS, rng=rng, archive=reader)
        store.explorer.url = _name(place, "explorer")
        measured = _find_filled(store, rng, place, games, copies)
        asked = measured.pop("asked")
        measured |= _weigh(store.explorer.book, place / "explorer.sqlite", measured["counted"])
        measured |= _ask(store, rng, asked, seconds, tries)
        store.explorer.close()
        store.archive.close()
        store.close()
    return measured | {"ratio": judge(measured)}


def judge(measured: dict[str, Any]) -> float:
    """Return the least ratio between what was asked for and what was measured."""
    slowest = max(median(measured[one]["clock"]) for one in ("by_key", "by_game"))
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


def _name(folder: Path, name: str) -> str:
    return f"sqlite:///{folder}/{name}.sqlite"


def _find_filled(
    store: Store, rng: random.Random, folder: Path, games: int, copies: int
) -> dict[str, Any]:
    """Count and archive games, unless an earlier run has left them in the folder."""
    told = folder / "filled.json"
    if told.is_file():
        found: dict[str, Any] = orjson.loads(told.read_bytes())
        return found
    writer = SummaryWriter(_name(folder, "archive"), store, rng)
    measured = _fill(store.explorer.book, writer, rng, games, copies)
    writer.close()
    told.write_bytes(orjson.dumps(measured))
    return measured


def _fill(
    book: Book, writer: SummaryWriter, rng: random.Random, games: int, copies: int
) -> dict[str, Any]:
    """Count games in a book, and archive them; `asked` are keys that were met."""
    book.prepare()
    asked: list[tuple[str, str]] = []
    names, replay_s, add_s = tuple(GAMES), 0.0, 0.0
    with progress("counting games") as show:
        for first in range(0, games, BATCH):
            found, summaries = [], []
            for number in range(first, min(first + BATCH, games)):
                name = names[number % len(names)]
                summary, events = play(name, rng, number)
                seats = len(summary["result"]["scores"])
                ratings = [rng.choice(RATINGS) for _ in range(seats)]
                began = time.process_time()
                found.append(explore(summary, events, GAMES[name], ratings))
                replay_s += time.process_time() - began
                summaries.append(summary)
            writer.write(summaries)
            began = time.process_time()
            book.add(found)
            add_s += time.process_time() - began
            _add_copies(book, found, copies)
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
        "asked": asked,
    }


class SummaryWriter:
    """Writes rows into an archive that have the summaries of games, and the moves of others."""

    def __init__(self, url: str, store: Store, rng: random.Random) -> None:
        self._archive, self._writer = Archive.open(url), RowWriter(url)
        now = store.clock.now_ms()
        originals = {name: play_whole(store, name, rng, with_person=True) for name in GAMES}
        packed = self._writer.pack([copy_game(one, rng, now) for one in originals.values()])
        self._originals = {name: one.summary for name, one in originals.items()}
        self._rows = dict(zip(originals, packed, strict=True))

    def write(self, summaries: Sequence[Json]) -> None:
        """Write games, with a person of its own in each seat."""
        self._archive.put_rows([self._make_row(one) for one in summaries])

    def close(self) -> None:
        """Close all connections."""
        self._writer.close()
        self._archive.close()

    def _make_row(self, played: Json) -> GameRow:
        original, game_id = self._originals[played["game"]], played["id"]
        seat: Json = original["seats"][0]
        seats = [
            {**seat, "seat": number, "player": {"id": f"{game_id}{number}", "name": f"P{number}"}}
            for number in range(len(played["result"]["scores"]))
        ]
        summary = {**original, **played, "seats": seats}
        return self._writer.renumber(self._rows[played["game"]], game_id, orjson.dumps(summary))


def _add_copies(book: Book, games: Sequence[ExploredGame], copies: int) -> None:
    """Add games under other ids with their narrow keys alone, which no other game has.

    As `Book.add` would, without its looks for rows that are there already.
    """
    summed: list[Json] = []
    kept: list[Json] = []
    names: list[tuple[str, str]] = []
    for game in games:
        for copy in range(copies):
            end = f"{game.id}.{copy}"
            names.append((end, game.game))
            keys = {key: hash_key(game.game, key + end) for key in game.keys if MARK in key}
            summed += [
                {**count._asdict(), "key": keys[count.key], **one._asdict()}
                for count, one in game.sums.items()
                if count.key in keys
            ]
            kept += [
                {"key": key, "seats": game.seats, "strength": game.strength, "id": end}
                for key in keys.values()
            ]
    book.add([], names)
    with book.database.writing() as connection:
        for table, rows in ((sums, summed), (best, kept)):
            if rows:
                connection.execute(table.insert(), sorted(rows, key=lambda row: row["key"]))


def _weigh(book: Book, file: Path, counted: int) -> dict[str, Any]:
    book.close()  # else what was written last lies in the journal as well
    size = sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*"))
    with book.database.reading() as connection:
        rows = {
            name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar()
            for name in ("explorer_sums", "explorer_best")
        }
    return {"bytes": size, "mb_of_100_000": size / 1e6 * WHOLE / counted, "rows": rows}


# -- asking --------------------------------------------------------------------------------------


def _ask(
    store: Store, rng: random.Random, asked: Sequence[Sequence[str]], seconds: float, tries: int
) -> dict[str, Any]:
    settings = replace(WebSettings(), log_requests=False, rates={})
    client = create_app(settings, store, OFFERS).test_client()
    places = list(_list_places(store, rng))

    def get(game: str, position: str) -> None:
        answer = client.get(f"/api/v1/explorer/{game}", query_string={"position": position})
        assert answer.status_code == 200, answer.text

    def ask_by_key() -> None:
        game, key = rng.choice(asked)
        get(game, key)

    def ask_by_game() -> None:
        game, game_id, versions = rng.choice(places)
        get(game, f"{game_id}@{rng.choice(versions)}")

    return {
        "by_key": _time(ask_by_key, seconds / 2, tries),
        "by_game": _time(ask_by_game, seconds / 2, tries),
    }


def _time(ask: Callable[[], None], seconds: float, tries: int) -> dict[str, Any]:
    """Return quantiles in ms of calls for some seconds, by the clock for each of some tries."""
    cpu: list[float] = []
    clocks: list[float] = []
    loads: list[float] = []
    for _ in range(tries):
        clock: list[float] = []
        until = time.monotonic() + seconds / tries
        while time.monotonic() < until or len(clock) < 20:
            began, at = time.process_time(), time.perf_counter()
            ask()
            cpu.append(1000 * (time.process_time() - began))
            clock.append(1000 * (time.perf_counter() - at))
        clocks.append(_find_p95(clock))
        loads.append(os.getloadavg()[0])
    return {"p50": median(cpu), "p95": _find_p95(cpu), "clock": clocks, "load": loads}


def _find_p95(measured: list[float]) -> float:
    return sorted(measured)[len(measured) * 95 // 100]


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
