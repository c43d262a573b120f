"""Faults of a cluster: its nodes and its registry die and hang, nodes change places.

`CLUSTER_KINDS` has them, and those of `KINDS` that do not need the embedded server.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from redis.exceptions import RedisError

from bench.cluster_nodes import (
    BenchCluster,
    ClusterNode,
    answers,
    is_in_step,
    is_master,
    wait_until,
)
from bench.faults.kinds import KINDS, STOPPED_S, FaultKind, FaultTargets, Skipped
from bench.faults.service import NotInTime, until

TIMEOUT_MS: Final = 1500
"""A node that is silent for so long is replaced by its replica."""

TAKEN_OVER_WITHIN_S: Final = 60.0


SYNC_S: Final = 2.0
"""Seconds for which Valkey with the durability `everysec` may keep an answer from its file."""

SILENT_S: Final = 12.0
"""Seconds for which a lost machine is silent: longer than any client waits for an answer."""

IN_STEP_WITHIN_S: Final = 20.0
"""Seconds for which a fault waits until a master has a replica."""


@contextmanager
def open_cluster(
    directory: Path, durability: str
) -> Iterator[tuple[BenchCluster, ClusterNode, dict[str, str]]]:
    """Yield three masters with a replica each, a registry, and the environment of a service."""
    registry = ClusterNode(directory / "registry", 0, "always")
    nodes = BenchCluster(directory / "nodes", 3, 3, TIMEOUT_MS, durability)
    registry.start()
    try:
        wait_until(lambda: answers(registry))
        with nodes:
            yield (
                nodes,
                registry,
                {
                    "CARTULARY_EVENTS_URL": nodes.url,
                    "CARTULARY_QUEUE_URL": f"redis://{registry.address}/0",
                },
            )
    finally:
        registry.stop()


def _choose_master(scene: FaultTargets) -> tuple[ClusterNode, ClusterNode]:
    """Return a master and its replica, soon; raises `Skipped` while no master has a replica."""
    try:
        found = until(lambda: _find_pair(scene), IN_STEP_WITHIN_S, 0.1)
    except NotInTime as error:
        raise Skipped("no master has a replica that is in step") from error
    assert found is not None
    return found


def _find_pair(scene: FaultTargets) -> tuple[ClusterNode, ClusterNode] | None:
    assert scene.nodes is not None
    nodes = scene.nodes.nodes
    masters = [node for node in nodes if is_master(node)]
    scene.rng.shuffle(masters)
    for master in masters:
        for replica in nodes:
            if replica.pid and is_in_step(replica) and _find_master(replica) == master.port:
                return master, replica
    return None


def _find_master(replica: ClusterNode) -> int:
    try:
        return int(replica.read("INFO", "replication").get("master_port", 0))
    except RedisError:
        return 0


def kill_node(scene: FaultTargets) -> None:
    """Kill a master; its replica takes over, and the node comes back as the replica."""
    master, replica = _choose_master(scene)
    master.kill()
    wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    master.start()
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def stop_node(scene: FaultTargets) -> None:
    """Stop a master until its replica has taken over: then two nodes think that they are master."""
    master, replica = _choose_master(scene)
    assert master.pid is not None
    os.kill(master.pid, signal.SIGSTOP)
    try:
        wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    finally:
        os.kill(master.pid, signal.SIGCONT)
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def lose_node(scene: FaultTargets) -> Callable[[], None]:
    """Let a master fall silent for good, as a machine does that loses its power.

    Its connections stay open, and no process answers on them.
    """
    master, replica = _choose_master(scene)
    pid = master.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    silent_until = time.monotonic() + SILENT_S

    def bring_back() -> None:
        time.sleep(max(0.0, silent_until - time.monotonic()))
        master.kill()
        master.start()
        wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)

    try:
        wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    except TimeoutError:
        bring_back()
        raise
    return bring_back


def restart_node(scene: FaultTargets) -> None:
    """Kill a master and start it again at once: it goes on from its file, its replica follows."""
    pair = _choose_master(scene)
    _note_unsynced(scene)
    pair[0].kill()
    pair[0].start()
    _await_pair(pair)


def kill_pair(scene: FaultTargets) -> None:
    """Kill a master and its replica, and start both again: what is on their disks counts."""
    pair = _choose_master(scene)
    for node in pair:
        node.kill()
    _note_unsynced(scene)
    time.sleep(scene.rng.uniform(0.0, 2.0))
    # The replica would take over before the master is back, with a file that may be older.
    for node in pair:
        node.start()
        wait_until(partial(answers, node), TAKEN_OVER_WITHIN_S)
    _await_pair(pair)


def stop_pair(scene: FaultTargets) -> None:
    """Stop a master and its replica: the slots have no owner for a while."""
    pair = _choose_master(scene)
    pids = [node.pid for node in pair if node.pid is not None]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(scene.rng.uniform(1.0, 2.5 * TIMEOUT_MS / 1000))
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    _await_pair(pair)


def _note_unsynced(scene: FaultTargets) -> None:
    """Note that the end of a file may be missing: an answer may be given while the disk syncs."""
    if not scene.always:
        now = time.monotonic()
        scene.journal.note_fallback(now - SYNC_S, now)


def _await_pair(pair: Sequence[ClusterNode]) -> None:
    """Wait until one node of a pair is the master, and the other is its replica in step."""
    one, other = pair
    wait_until(
        lambda: (is_master(one) and is_in_step(other)) or (is_master(other) and is_in_step(one)),
        TAKEN_OVER_WITHIN_S,
    )


def kill_replica(scene: FaultTargets) -> None:
    """Kill a replica, and start it again: meanwhile nothing of its master is confirmed."""
    _, replica = _choose_master(scene)
    replica.kill()
    replica.start()
    wait_until(lambda: is_in_step(replica), TAKEN_OVER_WITHIN_S)


def swap_nodes(scene: FaultTargets) -> None:
    """Let a replica take over from a master that works, as an operator does."""
    master, replica = _choose_master(scene)
    replica.ask("CLUSTER", "FAILOVER")
    wait_until(lambda: is_master(replica), TAKEN_OVER_WITHIN_S)
    wait_until(lambda: is_in_step(master), TAKEN_OVER_WITHIN_S)


def cut_node_connections(scene: FaultTargets) -> None:
    """Cut all connections of clients to a master."""
    master, _ = _choose_master(scene)
    master.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


def flush_node_scripts(scene: FaultTargets) -> None:
    """Let a master forget its scripts."""
    master, _ = _choose_master(scene)
    master.ask("SCRIPT", "FLUSH")


# -- the registry ---------------------------------------------------------------------------------


def kill_registry(scene: FaultTargets) -> None:
    """Kill the server of queues, players and lists, and start it again after a moment."""
    assert scene.registry is not None
    scene.registry.kill()
    time.sleep(scene.rng.uniform(0.0, 2.0))
    scene.registry.start()
    wait_until(partial(answers, scene.registry), TAKEN_OVER_WITHIN_S)


def stop_registry(scene: FaultTargets) -> None:
    """Stop the server of queues, players and lists for a moment."""
    assert scene.registry is not None
    assert scene.registry.pid is not None
    with scene.stopped(scene.registry.pid):
        time.sleep(scene.rng.uniform(*STOPPED_S))


_SHARED: Final = (
    "web process killed",
    "web master killed",
    "dispatcher killed",
    "worker killed in a job",
    "archiver killed",
    "serve killed",
    "serve restarted",
    "serve stopped",
    "web process stopped",
    "dispatcher stopped",
    "worker stopped",
    "connections cut",
    "queue lost",  # on the registry, as the next two
    "store connections cut",
    "scripts flushed",
    "disk full",  # the disk of the archive, as the next
    "disk slow",
    "clock jumped",  # that of the processes of the service alone
)
"""The kinds of `KINDS` that mean something without an embedded server."""

CLUSTER_KINDS: dict[str, FaultKind] = {
    **{name: KINDS[name] for name in _SHARED},
    "node killed": FaultKind(kill_node, 150),
    "node stopped": FaultKind(stop_node, 80),
    "node silent for good": FaultKind(lose_node, 30),
    "node restarted at once": FaultKind(restart_node, 40),
    "node and replica killed": FaultKind(kill_pair, 40),
    "node and replica stopped": FaultKind(stop_pair, 40),
    "replica killed": FaultKind(kill_replica, 60),
    "nodes swapped": FaultKind(swap_nodes, 60),
    "node connections cut": FaultKind(cut_node_connections, 60),
    "node scripts flushed": FaultKind(flush_node_scripts, 40),
    "registry killed": FaultKind(kill_registry, 60),
    "registry stopped": FaultKind(stop_registry, 30),
}
