from __future__ import annotations

import pytest

from cartulary.events.server import slots
from simulation.store.own.cluster import SLOTS, ModelCluster, find_slot
from simulation.store.server import ModelServer
from tests.simulation.store.clients import Client, make_server

A, B, C = "{a}:x", "{b}:x", "{c}:x"
"""Keys of the slots 15495, 3300 and 7365: of the third, first and second of three masters."""


@pytest.fixture
def masters() -> list[ModelServer]:
    return [make_server(port=7000 + number, seed=number) for number in range(3)]


@pytest.fixture
def cluster(masters: list[ModelServer]) -> ModelCluster:
    return ModelCluster(masters)


def test_a_slot_is_that_which_the_project_counts_with() -> None:
    for key in ("a", "{a}:x", "{}x", "x{a}{b}", "{a", "é"):
        assert find_slot(key.encode()) == slots.find_slot(key)


def test_a_node_sends_a_client_to_the_node_of_the_slot(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    client = Client(masters[0])
    assert client.ask(f"SET {B} 1") == "OK"
    assert client.refuse(f"SET {A} 1") == "MOVED 15495 127.0.0.1:7002"
    assert client.refuse(f"MGET {A} {B}").startswith("CROSSSLOT ")
    assert client.refuse("EVAL", "return 1", "1", A).startswith("MOVED 15495 ")


def test_a_slot_that_no_node_has_is_not_served(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    cluster.assign([15495], None)
    client = Client(masters[2])
    assert client.refuse(f"GET {A}") == "CLUSTERDOWN Hash slot not served"
    assert b"cluster_slots_ok:16383\r\n" in bytes(client.ask("CLUSTER INFO"))  # type: ignore[arg-type]


def test_a_slot_that_moves_is_asked_where_its_keys_are(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    source, target = Client(masters[2]), Client(masters[0])
    source.ask(f"SET {A} 1 PX 99999")
    source.ask("SET {a}:y 1")
    cluster.begin_move(15495, masters[0])
    assert source.ask(f"GET {A}") == b"1"
    assert source.refuse("GET {a}:missing") == "ASK 15495 127.0.0.1:7000"
    assert cluster.move_keys(15495, 1) == 1
    assert source.refuse(f"MGET {A} {{a}}:y").startswith("TRYAGAIN ")
    assert target.refuse(f"GET {A}").startswith("MOVED ")
    target.ask("ASKING")
    assert target.ask(f"GET {A}") == b"1"
    assert target.refuse(f"GET {A}").startswith("MOVED ")
    cluster.move_keys(15495)
    cluster.end_move(15495)
    assert target.ask(f"PTTL {A}") == 99999
    assert source.refuse(f"GET {A}") == "MOVED 15495 127.0.0.1:7000"


def test_a_replica_takes_the_slots_of_its_master_with_what_it_has(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    replica = masters[2].fork_replica(port=7003)
    cluster.add(replica)
    Client(masters[2]).ask(f"SET {A} 1")
    reader = Client(replica)
    assert reader.refuse(f"GET {A}").startswith("MOVED ")
    reader.ask("READONLY")
    assert reader.ask(f"GET {A}") is None
    replica.replicate()
    masters[2].crash(0)
    cluster.fail_over(replica)
    assert reader.ask(f"GET {A}") == b"1"
    assert reader.ask(f"SET {A} 2") == "OK"


def test_a_node_that_was_cut_off_goes_by_what_it_knew(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    cluster.cut_off(masters[2])
    cluster.assign([15495], masters[0])
    old, new = Client(masters[2]), Client(masters[0])
    assert (old.ask(f"SET {A} 1"), new.ask(f"SET {A} 2")) == ("OK", "OK")
    cluster.join(masters[2])
    assert old.refuse(f"GET {A}").startswith("MOVED ")


def test_a_script_stays_in_one_slot_of_its_node(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    client = Client(masters[0])
    same = client.ask("EVAL", "return redis.call('SET', '{b}:y', 1)", "1", B)
    assert same == "OK"
    other = client.refuse("EVAL", f"return redis.call('SET', '{A}', 1)", "1", B)
    assert other.startswith("ERR Script attempted to access a non local key in a cluster node")


def test_the_client_of_the_project_can_read_what_a_node_says(
    cluster: ModelCluster, masters: list[ModelServer]
) -> None:
    found = Client(masters[1]).ask("CLUSTER SLOTS")
    assert isinstance(found, list)
    assert [(one[0], one[1]) for one in found] == [  # type: ignore[index]
        (0, 5460),
        (5461, 10921),
        (10922, SLOTS - 1),
    ]
    nodes = Client(masters[1]).ask("CLUSTER NODES")
    assert b"127.0.0.1:7001@17001 myself,master - 0 0 3 connected 5461-10921\n" in nodes  # type: ignore[operator]
