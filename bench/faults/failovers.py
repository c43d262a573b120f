"""Faults of a cluster: its nodes die, hang, and change places.

`CLUSTER_KINDS` has them, and those of `KINDS` that do not need the embedded server.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError

from bench.cluster_nodes import Cluster, Node, is_in_step, is_master, wait_until
from bench.faults.kinds import KINDS, Kind, Scene, Skipped
from cartulary.events.embedded import EmbeddedValkey

TIMEOUT_MS: Final = 1500
"""A node that is silent for so long is replaced by its replica."""

TAKEN_OVER_WITHIN_S: Final = 60.0


@contextmanager
def open_cluster(directory: Path) -> Iterator[tuple[Cluster, dict[str, str]]]:
    """Yield three masters with a replica each, and the environment of a service on them."""
    registry = EmbeddedValkey(directory / "registry")
    nodes = Cluster(directory / "nodes", 3, 3, TIMEOUT_MS, "everysec")
    with registry, nodes:
        yield (
            nodes,
            {"CARTULARY_EVENTS_URL": nodes.url, "CARTULARY_QUEUE_URL": str(registry.url)},
        )


def _choose_master(scene: Scene) -> tuple[Node, Node]:
    """Return a master and its replica; raises `Skipped` while a node is missing."""
    assert scene.nodes is not None
    nodes = scene.nodes.nodes
    masters = [node for node in nodes if is_master(node)]
    scene.rng.shuffle(masters)
    for master in masters:
        for replica in nodes:
            if replica.pid and is_in_step(replica) and _find_master(replica) == master.port:
                return master, replica
    raise Skipped("no master has a replica that is in step")


def _find_master(replica: Node) -> int:
    try:
        return int(replica.read("INFO", "replication").get("master_port", 0))
    except RedisError:
        return 0


def kill_node(scene: Scene) -> None:
    """Kill a master; its replica takes over, and the node comes back as the replica."""
    master, replica = _choose_master(scene)
    master.kill()
    wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    master.start()
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def stop_node(scene: Scene) -> None:
    """Stop a master until its replica has taken over: then two nodes think that they are master."""
    master, replica = _choose_master(scene)
    assert master.pid is not None
    os.kill(master.pid, signal.SIGSTOP)
    try:
        wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    finally:
        os.kill(master.pid, signal.SIGCONT)
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def kill_replica(scene: Scene) -> None:
    """Kill a replica, and start it again: meanwhile nothing of its master is confirmed."""
    _, replica = _choose_master(scene)
    replica.kill()
    replica.start()
    wait_until(lambda: is_in_step(replica), TAKEN_OVER_WITHIN_S)


def swap_nodes(scene: Scene) -> None:
    """Let a replica take over from a master that works, as an operator does."""
    master, replica = _choose_master(scene)
    replica.ask("CLUSTER", "FAILOVER")
    wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def cut_node_connections(scene: Scene) -> None:
    """Cut all connections of clients to a master."""
    master, _ = _choose_master(scene)
    master.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


def flush_node_scripts(scene: Scene) -> None:
    """Let a master forget its scripts."""
    master, _ = _choose_master(scene)
    master.ask("SCRIPT", "FLUSH")


_SHARED: Final = (
    "web process killed",
    "web master killed",
    "dispatcher killed",
    "serve killed",
    "serve restarted",
    "web process stopped",
    "dispatcher stopped",
    "worker stopped",
    "connections cut",
)

CLUSTER_KINDS: dict[str, Kind] = {
    **{name: KINDS[name] for name in _SHARED},
    "node killed": Kind(kill_node, 150),
    "node stopped": Kind(stop_node, 80),
    "replica killed": Kind(kill_replica, 60),
    "nodes swapped": Kind(swap_nodes, 60),
    "node connections cut": Kind(cut_node_connections, 60),
    "node scripts flushed": Kind(flush_node_scripts, 40),
}
