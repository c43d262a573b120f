"""Where games and outboxes lie in a cluster."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from redis import Redis
from ulid import ULID

from bench.cluster_nodes import BenchCluster as Nodes
from cartulary.events.commands.commands import Intent
from cartulary.events.live.live import Hub
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.cluster import Address, ClusterClient
from cartulary.events.server.connection import check, connect
from cartulary.events.server.outbox import Outbox
from cartulary.events.server.slots import FIXED, draw_game_id, find_slot, find_tag
from cartulary.events.settings import refuse_unfit
from cartulary.events.store import Store
from cartulary.settings.settings import SettingsError
from tests.events.support.bean_games import any_move, beans_game

pytestmark = pytest.mark.real


def test_a_slot_is_that_of_the_cluster(nodes: Nodes) -> None:
    for key in ("01KAB", "{01KAB}:events", "{}:events", "a{b}c{d}", "{projections}:due"):
        assert find_slot(key) == nodes.masters[0].ask("CLUSTER", "KEYSLOT", key)


def test_a_new_game_has_one_of_the_fixed_slots() -> None:
    drawn = {draw_game_id() for _ in range(500)}
    assert len(drawn) == 500
    assert len({game_id[:22] for game_id in drawn}) == 500
    assert all(ULID.parse(game_id) for game_id in drawn)
    assert {find_slot(f"{{{game_id}}}:events") for game_id in drawn} <= {*FIXED}


def test_the_outbox_of_a_slot_has_that_slot() -> None:
    for slot in FIXED:
        assert find_slot(keys.outbox_of_tag(find_tag(slot))) == slot


def test_the_dispatcher_reads_the_outboxes_of_all_slots(store: Store, ada: Player) -> None:
    games = {store.commands.create(Intent(ada), beans_game()).table.id for _ in range(6)}
    assert {entry.game for entry in store.outbox.read("one")} == games
    assert store.outbox.read("two", block_ms=1) == []
    taken = store.outbox.reclaim("two", 0)
    assert {entry.game for entry in taken} == games
    assert store.outbox.deliveries(taken[0]) == 2
    store.outbox.ack(taken)
    assert store.outbox.depth() == 0
    assert store.outbox.read_age() == 0


def test_a_foreign_slot_has_its_outbox_when_it_is_noted(store: Store, ada: Player) -> None:
    foreign = next(f"01FOREIGN{n}" for n in range(99) if find_slot(f"01FOREIGN{n}") not in FIXED)
    store.registry.sadd(keys.outboxes_in_use(), find_slot(foreign))
    store.outbox.put(foreign, 1, "game_created")
    assert [entry.game for entry in store.outbox.read("one")] == [foreign]


def test_a_live_stream_follows_a_game_in_a_cluster(store: Store, hub: Hub, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    with hub.subscribe(table.id, table.version) as subscription:
        store.commands.move(Intent(ada, table.version), table.id, any_move(table))
        found = subscription.get(10.0)
        assert [event.version for event in found] == [table.version + 1]


def test_live_streams_of_many_games_go_on_after_their_connections_are_cut(
    store: Store, hub: Hub, ada: Player, nodes: Nodes
) -> None:
    tables = [store.commands.create(Intent(ada), beans_game()).table for _ in range(8)]
    with ExitStack() as opened:
        watched = [opened.enter_context(hub.subscribe(table.id, table.version)) for table in tables]
        for table, subscription in zip(tables, watched, strict=True):
            store.commands.move(Intent(ada, table.version), table.id, any_move(table))
            assert [event.version for event in subscription.get(10.0)] == [table.version + 1]
        for node in nodes.masters:
            node.ask("CLIENT", "KILL", "TYPE", "pubsub")
        for game in tables:
            table = store.projector.table(game.id)
            store.commands.move(Intent(ada, table.version), table.id, any_move(table))
        for table, subscription in zip(tables, watched, strict=True):
            assert [event.version for event in subscription.get(10.0)] == [table.version + 2]


def test_an_outbox_of_one_server_knows_no_cluster(real_redis: Redis) -> None:
    assert Outbox(real_redis).list_shards() == keys.outboxes()


def test_a_cluster_that_is_complete_is_ready(cluster: Redis) -> None:
    check(cluster)


@pytest.mark.parametrize(
    "url",
    ["redis+cluster://", "redis+cluster://a:1/3", "redis+cluster://a:x", "redis://a:1"],
)
def test_an_address_that_is_no_cluster_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"cluster|[Pp]ort|name"):
        Address.parse(url)


def test_an_address_of_a_cluster_has_nodes_password_and_tls() -> None:
    found = Address.parse("rediss+cluster://ada:s%20cret@a:1,[::1]:2,c")
    assert found.nodes == [("a", 1), ("::1", 2), ("c", 6379)]
    assert found.settings["username"] == "ada"
    assert found.settings["password"] == "s cret"
    assert found.settings["connection_class"].__name__ == "SSLConnection"


def test_queues_do_not_lie_in_a_cluster() -> None:
    refuse_unfit("redis+cluster://a:1", "redis://b:1")
    for queue in ("redis+cluster://a:1", "redis+cluster://b:1"):
        with pytest.raises(SettingsError, match="CARTULARY_QUEUE_URL must be a standalone server"):
            refuse_unfit("redis+cluster://a:1", queue)


def test_a_cluster_connects_when_it_is_used() -> None:
    client = ClusterClient("redis+cluster://127.0.0.1:1")
    assert not client.is_known
    client.close()


def test_a_silent_node_is_given_up_sooner_than_a_server_that_nothing_replaces() -> None:
    one, nodes = connect("redis://here:1"), connect("redis+cluster://here:1")
    assert isinstance(nodes, ClusterClient)
    patience = one.connection_pool.connection_kwargs["socket_timeout"]
    node = nodes.make_client("here", 1)
    assert node.connection_pool.connection_kwargs["socket_timeout"] < patience / 2
