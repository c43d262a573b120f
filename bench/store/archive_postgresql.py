"""An archive of a million games in PostgreSQL: its size, and how long a read of a game takes.

`--games` games of both kinds, half of each, opened within `--months` months, in a PostgreSQL of
their own: in `--directory`, where they stay for the next run, else in a folder that is removed. A
million take 12 GB. With `--one-table` they have no partitions, as in an earlier release.

* `bytes_each`: what the tables of games take for each game, with indexes and TOAST; its parts, and
  the megabytes of a month in the middle.
* `read_ms`: whole games at random, one after the other, each checked as every read is: seal, chain,
  head. `cold`: after a restart, nothing of the files in memory; `warm`: the same games again; `cpu`
  of the process that reads.
* `touched`: the partitions that a read of a game looks into, by the plan of PostgreSQL.
* `lists_ms`: pages of lists, warm: the newest public games, such pages somewhere deep and of one
  kind; finished games of a player at random, and of the player with the most games.

The `ratio` at the top is the least of all ratios between what was asked for and what was measured,
so 1 is enough: p95 of a cold read 20 ms, 12 KB a game.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg
from sqlalchemy import Engine, event, text

from bench.store._finished import copy, play
from bench.store._million import ArchivePlan, Copier, choose_player, make_player, make_rows
from bench.store._postgresql import Cluster
from bench.store._row_writer import RowWriter
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.database import Database
from cartulary.events.archive.dictionaries import SAMPLES
from cartulary.events.archive.partitions import Partitions
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import Archived
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS

SEED: Final = 1
NOW: Final = 1_790_000_000_000
"""The games were opened before this moment, in ms since the epoch."""
AT_ONCE: Final = 2000
FILLED: Final = "filled"
"""The file that says that the games are all there."""
PAGES: Final = 300
"""Pages of each list that are read."""

FILLING: Final = (
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off"),
    *("max_wal_size=8GB", "shared_buffers=512MB", "maintenance_work_mem=256MB"),
)
"""How the server runs while the games come; while it is measured it has its own defaults."""


def main(
    games: int = 1_000_000,
    months: int = 36,
    originals: int = 50,
    reads: int = 2000,
    directory: str = "",
    one_table: bool = False,
) -> dict[str, Any]:
    rng, plan = random.Random(SEED), ArchivePlan(games, months, NOW)
    with ExitStack() as stack:
        folder = Path(directory) if directory else Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        filled = (folder / FILLED).exists()
        played = [] if filled else play_all(originals, rng)
        cluster = Cluster(folder.absolute())
        cluster.start(FILLING)
        try:
            seconds = 0.0 if filled else fill(cluster.url, plan, played, rng, one_table)
            (folder / FILLED).touch()
            ids = list_ids(cluster.url)
            cluster.stop()
            cluster.drop_cache()
            cluster.start(())
            measured = {"games": len(ids), "fill_seconds": seconds} | weigh(cluster.url, len(ids))
            measured |= read_all(cluster.url, rng.sample(ids, min(reads, len(ids))))
            measured["lists_ms"] = list_all(cluster.url, rng, ids)
        finally:
            cluster.stop()
    slowest = measured["read_ms"]["cold"]["p95"]
    return measured | {"ratio": min(20 / slowest, 12_000 / measured["bytes_each"])}


def play_all(originals: int, rng: random.Random) -> list[Archived]:
    """Play games of each kind: those that the dictionaries are trained from, and the originals."""
    found: list[Archived] = []
    with TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=random.Random(SEED))
        with progress("played") as show:
            for number in range(SAMPLES + originals):
                some = [play(store, name, rng, number % 2 == 0) for name in GAMES]
                found += [copy(one, rng, NOW) for one in some]
                show(number, SAMPLES + originals)
        store.close()
    return found


def fill(
    url: str, plan: ArchivePlan, played: Sequence[Archived], rng: random.Random, one_table: bool
) -> float:
    """Fill the archive; return how long it took, in seconds."""
    with closing(Archive.open(url)) as archive:
        if not one_table:
            archive.tend(NOW)
        first = len(GAMES) * SAMPLES
        archive.write(played[:first])
        archive.write(played[first:])  # packed with dictionaries, as all that follow
    made, done = make_rows(writer := RowWriter(url), played[first:], plan, rng), 0
    with closing(Database(url)) as database, closing(writer), closing(Copier(url)) as copier:
        partitions, began = Partitions(database), time.perf_counter()
        with progress("filled") as show:
            while some := list(islice(made, AT_ONCE)):
                new = [row.columns["id"] for row in some]
                partitions.provide(new)
                copier.write(some)
                done += len(new)
                show(done, plan.games)
        seconds = time.perf_counter() - began
        copier.tidy()
    return seconds


def list_ids(url: str) -> list[str]:
    """Return the ids of all games."""
    with closing(Archive.open(url)) as archive:
        reader = ArchiveReader(lambda: None, lambda _noted: archive)
        return list(reader.ids())


# -- sizes -------------------------------------------------------------------------------------

WEIGH: Final = text(
    "SELECT relname AS name, reltuples AS rows, pg_relation_size(oid) AS heap,"
    " pg_indexes_size(oid) AS indexes, pg_total_relation_size(oid) AS whole"
    " FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
)


MEANS: Final = text(
    "SELECT avg(octet_length(events)) AS events, avg(octet_length(hashes)) AS hashes,"
    " avg(octet_length(beside)) AS beside, avg(octet_length(summary)) AS summary"
    " FROM games TABLESAMPLE SYSTEM (10) REPEATABLE (1)"
)


def weigh(url: str, games: int) -> dict[str, Any]:
    """Return what the tables take."""
    with closing(Database(url)) as database, database.reading() as connection:
        found = {row["name"]: row for row in connection.execute(WEIGH).mappings()}
        means = dict(connection.execute(MEANS).mappings().one())
    parts = [row for name, row in found.items() if name.startswith("games")]
    months = sorted(row["whole"] for row in parts if row["rows"] > games / 100)
    index, heap = (sum(row[of] for row in parts) for of in ("indexes", "heap"))
    whole = sum(row["whole"] for row in parts)
    beside = {name: found[name]["whole"] / games for name in ("people", "inventory")}
    return {
        "bytes_each": whole / games + sum(beside.values()),
        "packed": {name: float(value) for name, value in means.items()},
        "bytes_by_part": {
            "rows": heap / games,
            "toast": (whole - heap - index) / games,
            "indexes": index / games,
            **beside,
        },
        "partitions": len(parts),
        "month_mb": statistics.median(months) / 1e6,
        "month_games": statistics.median(row["rows"] for row in parts if row["rows"] > games / 100),
    }


# -- reads -------------------------------------------------------------------------------------


def read_all(url: str, ids: Sequence[str]) -> dict[str, Any]:
    """Read games one after the other through the reader of a service, twice."""
    reader = ArchiveReader(lambda: None, lambda noted: Archive.open(url, noted=noted), capacity=0)
    with closing(reader):
        reader.read(ids[0])  # opens the archive and reads the dictionaries
        taken = {name: read_games(reader, ids) for name in ("cold", "warm")}
        with explaining() as asked:
            reader.read(ids[-1])
        plan = "\n".join(explain(url, *one) for one in asked if "LEFT OUTER JOIN people" in one[0])
    return {"read_ms": taken, "touched": sorted(set(FIND_PARTITIONS.findall(plan)))}


def read_games(reader: ArchiveReader, ids: Sequence[str]) -> dict[str, float]:
    """Return how long reads take, and the CPU time of the reader for each."""
    began = time.process_time()
    found = describe([measure(partial(check, reader, one)) for one in ids])
    return found | {"cpu": 1000 * (time.process_time() - began) / len(ids)}


def check(reader: ArchiveReader, game_id: str) -> None:
    """Read a whole game."""
    found = reader.read(game_id)
    assert found is not None
    assert len(found.texts) == found.version
    assert game_id.encode() in found.summary


def measure(task: Callable[[], object]) -> float:
    """Return how long a task takes, in ms."""
    began = time.perf_counter()
    task()
    return 1000 * (time.perf_counter() - began)


def describe(taken: Sequence[float]) -> dict[str, float]:
    """Return median and tail."""
    parts = statistics.quantiles(taken, n=100)
    return {"p50": parts[49], "p95": parts[94], "p99": parts[98]}


FIND_PARTITIONS: Final = re.compile(r" on (games\w*)")


@contextmanager
def explaining() -> Iterator[list[tuple[str, Any]]]:
    """Yield the statements, with their values, that are executed within."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def explain(url: str, statement: str, values: Any) -> str:
    """Return the plan of a statement."""
    with psycopg.connect(url.replace("+psycopg", "", 1)) as connection:
        rows = connection.execute(f"EXPLAIN {statement}".encode(), values)
        return "\n".join(line for (line,) in rows)


# -- lists -------------------------------------------------------------------------------------


def list_all(url: str, rng: random.Random, ids: Sequence[str]) -> dict[str, Any]:
    """Read pages of lists."""
    somewhere = [{"before": one} for one in rng.sample(ids, PAGES)]
    some = [f"player:{choose_player(rng)}" for _ in range(PAGES)]
    asked: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "public": [("public", {})] * PAGES,
        "public_deep": [("public", one) for one in somewhere],
        "public_of_kind": [
            ("public", {**one, "game": "caylus", "status": "over", "pace": "none"})
            for one in somewhere
        ],
        "public_that_has_none": [("public", {"status": "aborted"})] * PAGES,
        "player": [(one, {}) for one in some],
        "player_deep": [(one, two) for one, two in zip(some, somewhere, strict=True)],
        "most_active": [(f"player:{make_player(0)}", {})] * PAGES,
        "most_active_deep": [(f"player:{make_player(0)}", one) for one in somewhere],
    }
    with closing(Archive.open(url)) as archive:
        return {
            name: describe(
                [measure(partial(archive.page, owner, **chosen)) for owner, chosen in pages]
            )
            for name, pages in asked.items()
        }
