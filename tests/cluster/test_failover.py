"""A master that dies costs time, and nothing that was acknowledged."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from redis import Redis
from redis.exceptions import RedisError

from bench.cluster_nodes import BenchCluster, is_in_step, wait_until
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.cluster_outbox import make_outbox
from cartulary.events.server.connection import Unconfirmed, check, connect
from cartulary.events.server.slots import SLOTS, draw_game_id, find_slot
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game

pytestmark = pytest.mark.real

AGAIN_S = 0.1
PATIENCE_S = 60.0


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[BenchCluster]:
    """Three masters with a replica each."""
    with BenchCluster(tmp_path, 3, 3, timeout_ms=1000) as nodes:
        yield nodes


def open_store(nodes: BenchCluster, registry: Redis) -> Store:
    return Store(
        connect(nodes.url),
        OFFERS,
        rng=random.Random(3),
        registry=registry,
        replicas_within_ms=1000,
    )


def move(store: Store, ada: Player, table: Table) -> Table:
    """Make a move as a client does: the same request again until there is an answer."""
    until, body = time.monotonic() + PATIENCE_S, any_move(table)
    while True:
        try:
            key = f"{table.id}-{table.version}"
            return store.commands.move(Intent(ada, table.version, key=key), table.id, body).table
        except (RedisError, NotFound):
            assert time.monotonic() < until
            time.sleep(AGAIN_S)


def test_nothing_acknowledged_is_lost_when_a_master_dies(
    replicated: BenchCluster, real_redis: Redis
) -> None:
    store = open_store(replicated, real_redis)
    ada = store.players.create("Ada")[0]
    tables = [store.commands.create(Intent(ada), beans_game()).table for _ in range(6)]
    moved = dict.fromkeys((table.id for table in tables), 0)

    def play(table: Table) -> None:
        while table.status == "running":
            table = move(store, ada, table)
            moved[table.id] = table.version
            time.sleep(0.05)

    threads = [Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    replicated.masters[0].kill()
    replicated.await_master(replicated.replicas[0])
    replicated.masters[0].start()  # as the replica: without a replica nothing is acknowledged
    for thread in threads:
        thread.join()
    for game_id, version in moved.items():
        assert version > 2
        assert store.ledger.version(game_id) == version
        assert store.audit.game(game_id).valid
    store.close()


def test_without_a_replica_a_move_is_not_acknowledged_and_its_key_is_confirmed_later(
    replicated: BenchCluster, real_redis: Redis
) -> None:
    store = open_store(replicated, real_redis)
    ada = store.players.create("Ada")[0]
    table = store.commands.create(Intent(ada), beans_game()).table
    for replica in replicated.replicas:
        replica.kill()
    body = any_move(table)
    for _ in range(2):  # the record of the key is found then, and not confirmed either
        with pytest.raises(Unconfirmed, match="may still be lost"):
            store.commands.move(Intent(ada, table.version, key="key"), table.id, body)
    assert store.ledger.version(table.id) == table.version + 1
    for replica in replicated.replicas:
        replica.start()
    for replica in replicated.replicas:
        while not is_in_step(replica):
            time.sleep(AGAIN_S)
    done = store.commands.move(Intent(ada, table.version, key="key"), table.id, body)
    assert done.replayed
    assert store.ledger.version(table.id) == table.version + 1
    store.close()


def test_a_cluster_that_takes_no_commands_says_which_slot_is_missing(tmp_path: Path) -> None:
    with BenchCluster(tmp_path, 2) as nodes:
        client = connect(nodes.url)
        for node in reversed(nodes.masters):
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "yes")
            node.ask("CLUSTER", "DELSLOTS", 16000)
        said = "1 of the 16384 slots of the cluster have no master: 16000"
        wait_until(lambda: not nodes.takes_commands(nodes.masters[0]))
        with pytest.raises(RedisError, match=said):
            check(client)
        client.close()


def test_while_a_node_is_missing_the_games_of_the_others_go_on(
    tmp_path: Path, real_redis: Redis
) -> None:
    with BenchCluster(tmp_path, 2) as nodes:
        client = connect(nodes.url)
        outbox, other = make_outbox(client, real_redis), make_outbox(client, real_redis)
        assert outbox.read("one") == []
        by_node: list[set[str]] = [set(), set()]
        while min(map(len, by_node)) < 2:
            game = draw_game_id()
            by_node[find_slot(game) // (SLOTS // 2)].add(game)
            outbox.put(game, 1, "game_created")
        nodes.masters[0].kill()
        assert {entry.game for entry in outbox.read("one")} == by_node[1]
        assert {entry.game for entry in other.reclaim("two", 0)} == by_node[1]
        with pytest.raises(RedisError):  # no node has anything new
            outbox.read("one")
        nodes.masters[0].start()  # without its data, and so without groups
        nodes.await_master(nodes.masters[0])
        for game in by_node[0]:
            outbox.put(game, 1, "game_created")
        found: set[str] = set()
        while found != by_node[0]:
            found |= {entry.game for entry in outbox.read("one", block_ms=1)}
        client.close()
