"""Open data: how large the files of a dump are, what they cost, and whether others can read them.

`--games` games are played by bots of a level, which sit in all seats: half of them Caylus with five
seats, half Carcassonne with two to four. People open them, of whom one in ten has not said yes, so
the dump has fewer games. Half are archived. Then `cartulary dump` is done for the month.

* `games`, `decisions`: what is in the files.
* `parquet_bytes`, `lines_bytes`: of a decision in `decisions.parquet`, of a game in
  `games.jsonl.zst`; `mb_of_100_000`: both files for so many such games.
* `game_ms`: CPU for a game, chosen, read and written to both files.
* `polars_ms`, `duckdb_ms`: by the clock, the mean score by place at the first worker (the lines of
  `docs/dumps.md`) out of the file, read the second time; missing where they are not installed. Both
  have to say the same.

The `ratio` is that of the games as JSON to the two files. `--folder` keeps the files there.
"""

from __future__ import annotations

import random
import tempfile
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import zstandard

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.dumps.choosing import Month
from cartulary.events.dumps.writing import DECISIONS_FILE, GAMES_FILE, DumpWriter
from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS

SEED = 1
PEOPLE = 10
NEVER = 2**53
FIRST = "round-1/seat-./worker-1"

Json = dict[str, Any]


def main(games: int = 40, level: str = "medium", folder: str = "") -> Json:
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        url = f"sqlite:///{directory}/archive.sqlite"
        reader = partial(ArchiveReader, open_=lambda _noted: Archive.open(url))
        store = Store(connect(str(valkey.url)), OFFERS, rng=rng, archive=reader)
        _play(store, rng, games, level)
        month = Month.parse(format_time(store.clock.now_ms())[:7])
        target = Path(folder or directory)
        began = time.process_time()
        with progress("writing games") as show:
            written = DumpWriter(store, rng).write(month, target, show)
        spent = time.process_time() - began
        store.archive.close()
        store.close()
        measured: Json = {"played": games, "games": written.games}
        measured["game_ms"] = 1000 * spent / written.games
        return measured | _weigh(target / month.name, written.games)


def _play(store: Store, rng: random.Random, games: int, level: str) -> None:
    people = [store.players.create(f"Opener{number}")[0] for number in range(PEOPLE)]
    for one in people[1:]:
        store.preferences.change(one.id, {"open_data": "yes"})
    with progress("playing games") as show:
        for number in range(games):
            opener = people[number % len(people)]
            if number % 2:
                _play_game(store, opener, "carcassonne", rng.randrange(2, 5), level)
            else:
                _play_game(store, opener, "caylus", 5, level)
            if number == games // 2:
                store.make_archiver().run(NEVER, games)
            show(number + 1, games)


def _play_game(store: Store, opener: Player, name: str, seats: int, level: str) -> None:
    """Have bots play a game to its end; it may be archived at once."""
    entry = OFFERS[name].bots[level]
    request = NewGame(name, [SeatRequest("bot", level)] * seats)
    table = store.commands.create(Intent(opener), request).table
    while table.status == "running":
        moved = store.commands.bots.move(table.id, table.position, entry.bot, entry.version)
        table = moved.table
    table = store.commands.score(table.id).table
    store.list_updater.follow(table)
    store.redis.delete(keys.pin(table.id))


def _weigh(month: Path, games: int) -> Json:
    import pyarrow.parquet as parquet

    packed = (month / GAMES_FILE).read_bytes()
    lines = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    decisions = month / DECISIONS_FILE
    rows = parquet.ParquetFile(decisions).metadata.num_rows
    size = decisions.stat().st_size
    plain = len(lines) + sum(
        len(orjson.dumps(row)) + 1 for row in parquet.read_table(decisions).to_pylist()
    )
    return {
        "decisions": rows,
        "parquet_bytes": size / rows,
        "lines_bytes": len(packed) / games,
        "mb_of_100_000": 100_000 * (size + len(packed)) / games / 1e6,
        **_read(decisions),
        "ratio": plain / (size + len(packed)),
    }


def _read(decisions: Path) -> Json:
    """Read the mean score by place with what is installed; all have to say the same."""
    readers = {"polars": _read_with_polars, "duckdb": _read_with_duckdb}
    measured: Json = {}
    said = []
    for name, read in readers.items():
        if find_spec(name) is None:
            continue
        said.append(read(decisions))
        began = time.perf_counter()
        said.append(read(decisions))
        measured[f"{name}_ms"] = 1000 * (time.perf_counter() - began)
    assert all(one == said[0] for one in said), said
    return measured


def _read_with_polars(decisions: Path) -> list[tuple[Any, ...]]:
    polars = import_module("polars")
    found: list[tuple[Any, ...]] = (
        polars.scan_parquet(decisions)
        .filter(polars.col("question").str.contains(FIRST))
        .group_by("seats", "question")
        .agg(polars.col("score").mean().round(6), polars.len())
        .sort("seats", "question")
        .collect()
        .rows()
    )
    return found


def _read_with_duckdb(decisions: Path) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = (
        import_module("duckdb")
        .sql(
            "SELECT seats, question, round(avg(score), 6), count(*)"
            f" FROM read_parquet('{decisions}') WHERE regexp_matches(question, '{FIRST}')"
            " GROUP BY seats, question ORDER BY seats, question"
        )
        .fetchall()
    )
    return found
