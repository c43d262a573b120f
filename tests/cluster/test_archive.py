"""Games leave a cluster for the archive and come back; backups carry games into it and out."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from bench.cluster_nodes import BenchCluster
from cartulary.events.archiving.taking import Taker
from cartulary.events.backup.dump import dump
from cartulary.events.backup.load import begin, check_file, end, load
from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.server.slots import FIXED, find_slot
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game
from tests.support.store_with_archive import add_game, archive_all, open_with_archive

pytestmark = pytest.mark.real


@pytest.fixture
def archiving(
    nodes: BenchCluster, cluster: Redis, registry: Redis, tmp_path: Path
) -> Iterator[Store]:
    """A store in a cluster, with an archive; no node knows a script."""
    for node in nodes.masters:
        node.ask("SCRIPT", "FLUSH")
    with open_with_archive(cluster, tmp_path, registry=registry) as store:
        yield store


@pytest.fixture
def game(archiving: Store) -> str:
    return add_game(archiving)


def read(store: Store, game_id: str) -> list[Any]:
    store.projector.forget()
    return [*store.ledger.deliver(game_id), store.projections.summary(game_id)]


def test_an_archived_game_leaves_the_cluster_and_reads_the_same(
    archiving: Store, game: str
) -> None:
    known = read(archiving, game)
    assert archive_all(archiving).archived == 1
    assert archiving.ledger.stored_version(game) == 0
    left = [key for key in archiving.redis.scan_iter(count=1000) if game.encode() in key]
    assert left == []
    assert read(archiving, game) == known


def test_an_archived_game_comes_back_to_the_cluster_when_it_is_pinned(
    archiving: Store, game: str
) -> None:
    known = read(archiving, game)
    archive_all(archiving)
    assert archiving.bringing_back.pin(game)
    assert archiving.ledger.stored_version(game) == len(known) - 1
    assert read(archiving, game) == known
    taken = Taker(archiving.redis).take(game)
    assert Taker(archiving.redis).release(taken).name == "STAYS"


def test_games_go_from_a_server_to_a_cluster_and_back(store: Store, registry: Redis) -> None:
    """The registry of the cluster is the server itself, emptied before each restore."""
    alone = Store(registry, OFFERS, rng=random.Random(5))
    ada = alone.players.create("Ada")[0]
    tables = [alone.commands.create(Intent(ada), beans_game()).table for _ in range(4)]
    alone.commands.move(
        Intent(ada, tables[0].version, key="key"), tables[0].id, any_move(tables[0])
    )
    known = {table.id: alone.ledger.deliver(table.id) for table in tables}
    file = io.BytesIO()
    dump(registry, file)
    registry.flushall()
    contents = check_file(file)
    begin(store.redis, contents, "file", registry)
    load(store.redis, file, contents, registry=registry)
    rebuild(store)
    end(registry)
    foreign = {find_slot(table.id) for table in tables}.difference(FIXED)
    assert {int(slot) for slot in registry.smembers(keys.outboxes_in_use())} == foreign
    assert {one: store.ledger.deliver(one) for one in known} == known
    moved = store.projector.table(tables[1].id)
    done = store.commands.move(
        Intent(ada, moved.version, key="other"), moved.id, any_move(moved)
    ).table
    known[moved.id] = store.ledger.deliver(moved.id)
    assert moved.id in {entry.game for entry in store.outbox.read("one")}
    repeated = store.commands.move(
        Intent(ada, moved.version, key="other"), moved.id, any_move(moved)
    )
    assert repeated.replayed
    assert repeated.table.version == done.version
    file = io.BytesIO()
    dump(store.redis, file, registry=registry)
    store.redis.flushall()
    registry.flushall()
    contents = check_file(file)
    begin(registry, contents, "file")
    load(registry, file, contents)
    end(registry)
    back = Store(registry, OFFERS, rng=random.Random(5))
    assert {one: back.ledger.deliver(one) for one in known} == known
    registry.flushall()
