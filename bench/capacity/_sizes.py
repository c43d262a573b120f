"""How many bytes things take: players, inboxes, games in the store, results, archived games."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from ulid import ULID

from bench.capacity._box import open_postgresql
from bench.company._world import WorldPlan, find_world
from bench.store import memory
from bench.store._finished import Original, play
from bench.store.archive import archive_all, copies, open_store, put, read_used
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.archive.dictionaries import SAMPLES
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.inbox import MOST, Item, make_item
from cartulary.events.model.clock import format_time
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS

SEED: Final = 35
READ_EACH: Final = 7
"""Items of a day, after which a player looks."""
AT: Final = 1_790_000_000_000
"""When the items of inboxes are made, in ms since the epoch."""


def measure_sizes(players: int, inboxes: int, results: int) -> dict[str, float]:
    """Return bytes: of a player, a full inbox, a game in the store by kind, a rated result.

    `inbox_read` is an inbox whose player reads it. `listed` is what the registry has of a running
    game: its summary and its places in lists.
    """
    with open_empty() as store:
        found = {"player": _measure_players(store, players)}
        found |= {"inbox": _fill(store, inboxes, 0), "inbox_read": _fill(store, inboxes, READ_EACH)}
        found["listed"] = _measure_listed(store, inboxes * 4)
    for name, sizes in memory.main(1).items():
        found[f"running_{name}"] = sizes["store"]
        found[f"cached_{name}"] = sizes["process"]
    with tempfile.TemporaryDirectory() as folder:
        world = find_world(Path(folder) / "data", WorldPlan(results, results // 8, stored=0))
        found["result"] = world.figures["store_bytes_each"]
    return found


@contextmanager
def open_empty() -> Iterator[Store]:
    """Yield a store on a server of its own."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(folder) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=random.Random(SEED))
        try:
            yield store
        finally:
            store.close()


def _measure_players(store: Store, number: int) -> float:
    store.players.create("first")
    before = read_used(store)
    for one in range(number):
        store.players.create(f"player {one}")
    return (read_used(store) - before) / number


def _fill(store: Store, number: int, read_each: int) -> float:
    """Return the bytes of an inbox to which more items have come than it keeps.

    Its player reads it after each `read_each` items, 0 for never.
    """
    sizes: list[Any] = []
    for _ in range(number):
        player = str(ULID())
        for version in range(MOST + MOST // 2):
            item = make_turn(player, version)
            store.inbox.add(player, [item])
            if read_each and version % read_each == 0:
                store.inbox.mark_read(player, item.id)
        names = (keys.inbox(player), keys.inbox_ids(player), keys.inbox_read(player))
        sizes += [store.registry.memory_usage(name, samples=0) or 0 for name in names]
    return sum(map(int, sizes)) / number


def make_turn(player: str, version: int) -> Item:
    """Return an item as most are: it is the turn of the player."""
    game = str(ULID())
    data = {
        "game": game,
        "version": version,
        "seat": 0,
        "title": "Carcassonne: Ada Lovelace",
        "deadline_at": None,
        "url": f"/games/{game}",
    }
    return make_item(game, "your_turn", player, format_time(AT), data, version)


def _measure_listed(store: Store, number: int) -> float:
    before = _weigh_lists(store)
    for one in range(number):
        player, _ = store.players.create(f"host {one}")
        seats = [SeatRequest("me"), SeatRequest("bot", "random")]
        table = store.commands.create(Intent(player), NewGame("carcassonne", seats)).table
        store.projections.apply(table)
    return (_weigh_lists(store) - before) / number


def _weigh_lists(store: Store) -> int:
    """Return the bytes of all lists of games."""
    found = store.registry.scan_iter(f"{keys.PROJECTIONS}*", count=1000)
    sizes: list[Any] = [store.registry.memory_usage(key, samples=0) for key in found]
    return sum(map(int, sizes))


# -- the archive --------------------------------------------------------------------------------


def play_originals(number: int) -> dict[str, list[Original]]:
    """Return games of each kind for copies, besides those that the dictionaries need."""
    rng = random.Random(SEED)
    with open_empty() as store:
        turns = [one % 2 == 0 for one in range(SAMPLES + number)]
        return {name: [play(store, name, rng, person) for person in turns] for name in GAMES}


def measure_archive(played: dict[str, list[Original]], kind: str, games: int) -> dict[str, float]:
    """Return of an archived game: `bytes`, `packed` bytes of them, `left` in the store, CPU ms."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedValkey(folder) as valkey,
        _open_database(Path(folder), kind) as (url, weigh),
    ):
        store = open_store(str(valkey.url), url)
        try:
            first = 2 * SAMPLES
            put(store, copies(played, 0, first))
            archive_all(store)
            size, used = weigh(), read_used(store)
            put(store, copies(played, first, first + games))
            began = time.process_time()
            assert archive_all(store) == games
            cpu = time.process_time() - began
            left = (read_used(store) - used) / games
            rows = list(store.archive.archive.rows())[-games:]
            packed = sum(
                len(one) for row in rows for one in row.columns.values() if isinstance(one, bytes)
            )
        finally:
            store.close()
        return {
            "bytes": (weigh() - size) / games,
            "packed": packed / games,
            "left": left,
            "ms": 1000 * cpu / games,
        }


@contextmanager
def _open_database(folder: Path, kind: str) -> Iterator[tuple[str, Any]]:
    """Yield the URL of an empty database, and what returns its bytes."""
    if kind == "postgresql":
        with open_postgresql() as cluster:
            yield cluster.url, lambda: _weigh_tables(cluster.folder)
        return
    file = folder / "archive.sqlite"
    yield f"sqlite:///{file}", lambda: _weigh_file(file)


def _weigh_file(file: Path) -> int:
    """Return the bytes of a database of SQLite, all of its log in the file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


def _weigh_tables(server: Path) -> int:
    question = """
        SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'r'
    """
    with psycopg.connect(host=str(server), user="postgres") as connection:
        found = connection.execute(question).fetchone()
        assert found is not None
        return int(found[0])
