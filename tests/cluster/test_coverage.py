"""What a process knows of missing slots does not come from a node that is lost itself."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from bench.cluster_nodes import BenchCluster, ClusterNode, answers, wait_until
from cartulary.events.server.connection import check, connect
from cartulary.events.server.coverage import Coverage
from cartulary.events.server.servers import find_missing
from cartulary.events.server.slots import SLOTS

pytestmark = pytest.mark.real


@pytest.fixture
def removed(tmp_path: Path) -> Iterator[ClusterNode]:
    """A node that was removed from its cluster: it runs and knows no other node."""
    node = ClusterNode(tmp_path, 1000, "off")
    node.start()
    try:
        wait_until(lambda: answers(node))
        yield node
    finally:
        node.stop()


def test_a_node_that_was_removed_from_the_cluster_makes_no_slot_missing(
    nodes: BenchCluster, removed: ClusterNode
) -> None:
    client = connect(f"redis+cluster://{removed.address},{nodes.masters[0].address}")
    assert find_missing(client) == frozenset()
    check(client)
    client.close()


def test_when_no_node_sees_most_slots_the_best_answer_counts(removed: ClusterNode) -> None:
    client: Any = connect(f"redis+cluster://{removed.address}")
    assert client.coverage.ask() == (False, frozenset(range(SLOTS)))


def test_asking_for_missing_slots_leaves_no_connection_open(nodes: BenchCluster) -> None:
    asked = nodes.masters[0]

    def count() -> int:
        return int(asked.read("INFO", "clients")["connected_clients"])

    client: Any = connect(f"redis+cluster://{asked.address}")
    before = count()
    gc.disable()
    try:
        for _ in range(5):
            client.coverage.ask()
        wait_until(lambda: count() <= before)
    finally:
        gc.enable()
        client.close()


class Said:
    """A cluster of a single node that says what a test wants."""

    def __init__(self, flags: str, slots_ok: int) -> None:
        self._flags, self._slots_ok = flags, slots_ok
        self.connection_pool = self

    def list_nodes(self) -> list[tuple[str, int]]:
        return [("node", 1)]

    def make_client(self, *_: object, **__: object) -> Any:
        return self

    def disconnect(self) -> None:
        pass

    def __enter__(self) -> Said:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute_command(self, command: str) -> Any:
        if command == "CLUSTER INFO":
            return {"cluster_state": "ok", "cluster_slots_ok": str(self._slots_ok)}
        other = {"flags": self._flags, "slots": [["0", "99"]]}
        return {"a": {"flags": "myself,master", "slots": [["100", "16383"]]}, "b": other}


@pytest.mark.parametrize(
    ("flags", "missing"),
    [("master,nofailover", 0), ("master,fail?", 100), ("master,fail", 100), ("master", 0)],
)
def test_the_slots_of_a_node_that_has_failed_are_missing(flags: str, missing: int) -> None:
    cluster: Any = Said(flags, SLOTS - 1)
    assert len(Coverage(cluster).read_missing()) == missing


def test_where_only_a_removed_node_answers_the_store_is_away(removed: ClusterNode) -> None:
    client: Any = connect(f"redis+cluster://{removed.address}")

    def transact() -> None:
        pipe = client.pipeline(transaction=True)
        pipe.get("{game}:events")
        pipe.execute()

    calls: list[Callable[[], object]] = [
        lambda: client.get("{game}:events"),
        lambda: client.find_node("{game}:events"),
        client.list_masters,
        client.refresh,
        lambda: client.pipeline().get("{game}:events").execute(),
        transact,
    ]
    for call in calls:
        with pytest.raises(RedisError):
            call()
    client.close()
