"""What a node of a cluster says of the slots: CLUSTER, ASKING, READONLY, READWRITE."""

from __future__ import annotations

from typing import Final

from simulation.store.own.cluster import SLOTS, ModelCluster, find_slot
from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import (
    OK,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
)
from simulation.store.values.session import ModelSession

DISABLED: Final = "This instance has cluster support disabled"


def _find_cluster(server: BareServer) -> ModelCluster:
    if not isinstance(server.cluster, ModelCluster):
        raise StoreRefusal(DISABLED)
    return server.cluster


def describe_cluster(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """CLUSTER INFO, NODES, SLOTS, MYID, KEYSLOT, COUNTKEYSINSLOT, GETKEYSINSLOT."""
    cluster = _find_cluster(server)
    action = words[1].upper()
    if action == b"KEYSLOT" and len(words) == 3:
        return find_slot(words[2])
    if action == b"MYID":
        return server.node_id.encode()
    if action == b"INFO":
        return _describe_state(cluster, server)
    if action == b"NODES":
        return "".join(_describe_node(cluster, server, node) for node in cluster.nodes).encode()
    if action == b"SLOTS":
        return [
            [
                first,
                last,
                _describe_place(owner),
                *map(_describe_place, _list_replicas(cluster, owner)),
            ]
            for first, last, owner in cluster.list_ranges(server)
        ]
    if action in (b"COUNTKEYSINSLOT", b"GETKEYSINSLOT"):
        keys = [key for key in server.open_space(0).list_keys() if find_slot(key) == int(words[2])]
        if action == b"COUNTKEYSINSLOT":
            return len(keys)
        return [*keys[: read_int(words[3])]]
    raise Unmodelled(f"CLUSTER {action.decode(errors='replace')}")


def _list_replicas(cluster: ModelCluster, master: BareServer) -> list[BareServer]:
    return [node for node in cluster.nodes if node.master is master and node not in cluster.failed]


def _describe_place(node: BareServer) -> StoreReply:
    return [node.host.encode(), node.port, node.node_id.encode(), []]


def _describe_state(cluster: ModelCluster, server: BareServer) -> StoreReply:
    ranges = cluster.list_ranges(server)
    assigned = sum(last - first + 1 for first, last, _ in ranges)
    failed = sum(last - first + 1 for first, last, owner in ranges if owner in cluster.failed)
    works = server not in cluster.down and assigned == SLOTS and not failed
    lines = {
        "cluster_state": "ok" if works else "fail",
        "cluster_slots_assigned": assigned,
        "cluster_slots_ok": assigned - failed,
        "cluster_slots_pfail": 0,
        "cluster_slots_fail": failed,
        "cluster_known_nodes": len(cluster.nodes),
        "cluster_size": len({owner.node_id for _, _, owner in ranges}),
        "cluster_current_epoch": cluster.epoch,
        "cluster_my_epoch": cluster.epoch,
    }
    return "".join(f"{name}:{value}\r\n" for name, value in lines.items()).encode()


def _describe_node(cluster: ModelCluster, server: BareServer, node: BareServer) -> str:
    flags = ["myself"] if node is server else []
    flags.append("master" if node.master is None else "slave")
    if node in cluster.failed:
        flags.append("fail")
    followed = getattr(node.master, "node_id", "-")
    place = f"{node.host}:{node.port}@{node.port + 10000}"
    state = "disconnected" if node.is_down else "connected"
    words = [node.node_id, place, ",".join(flags), followed, "0", "0", str(cluster.epoch), state]
    words += [
        str(first) if first == last else f"{first}-{last}"
        for first, last, owner in cluster.list_ranges(server)
        if owner is node
    ]
    for slot, (source, target) in cluster.moving.items():
        if node is server is source:
            words.append(f"[{slot}->-{target.node_id}]")
        if node is server is target:
            words.append(f"[{slot}-<-{source.node_id}]")
    return " ".join(words) + "\n"


def ask(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """ASKING: the next command may be about a slot that is on its way to this node."""
    _find_cluster(server)
    session.is_asking = True
    return OK


def allow_reads(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """READONLY: a replica answers reads."""
    _find_cluster(server)
    session.is_reader = True
    return OK


def allow_writes(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """READWRITE: the opposite of READONLY."""
    _find_cluster(server)
    session.is_reader = False
    return OK


COMMANDS: Final = {
    b"CLUSTER": OwnCommand(describe_cluster, -2, "s"),
    b"ASKING": OwnCommand(ask, 1, "sl"),
    b"READONLY": OwnCommand(allow_reads, 1, "l"),
    b"READWRITE": OwnCommand(allow_writes, 1, "l"),
}
