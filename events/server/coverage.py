"""Which slots of a cluster have a master that works, as the nodes of the cluster see it.

A client learns from a refused connection that a node does not answer, but not for which games it
has to do without. The nodes know: they ask each other all the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError

from cartulary.events.server.slots import SLOTS, find_slot

LOOK_S: Final = 1.0
"""Seconds for which a process goes by what a node has said."""

ANSWER_SOON_S: Final = 2
"""Seconds; a node that is silent for longer is not asked."""

NONE_MISSING: Final[frozenset[int]] = frozenset()

_FAILED: Final = frozenset(("fail", "fail?"))
"""Flags of a node that does not answer; a node that works may have the flag `nofailover`."""


class ClusterState(NamedTuple):
    """What a node says: whether the cluster takes commands at all, and which slots are missing."""

    works: bool
    missing: frozenset[int]


class Nodes(Protocol):
    """The nodes of a cluster."""

    def list_nodes(self) -> list[tuple[str, int]]:
        """Return host and port of all known nodes."""
        ...

    def make_client(self, host: str, port: int, **settings: Any) -> Redis:
        """Return a client of one node."""
        ...


class Coverage:
    """Asks the nodes of a cluster now and then which slots are missing. Thread-safe."""

    def __init__(self, cluster: Nodes) -> None:
        self._cluster = cluster
        self._missing = NONE_MISSING
        self._due = 0.0
        self._answered: tuple[str, int] | None = None
        self._lock = Lock()

    def read_missing(self) -> frozenset[int]:
        """Return the slots without a master that works; those known last when no node answers.

        Asks a node when the last answer is older than `LOOK_S`; one thread at a time does.
        """
        if monotonic() >= self._due and self._lock.acquire(blocking=False):
            try:
                self._missing = self.ask().missing
            except RedisError:
                pass  # Those who use the cluster learn it from their own commands.
            finally:
                self._due = monotonic() + LOOK_S
                self._lock.release()
        return self._missing

    def is_missing(self, key: str) -> bool:
        """Return whether a key lies in a missing slot, as far as is known."""
        missing = self.read_missing()
        return bool(missing) and find_slot(key) in missing

    def ask(self) -> ClusterState:
        """Return what a node says that sees most of the slots.

        A node that is cut off from the others, or was removed from the cluster, sees fewer slots:
        when no node sees most of them, the best of their answers counts. Raises `RedisError` when
        no node answers.
        """
        trouble: RedisError = Unreachable("the cluster has no node")
        best: ClusterState | None = None
        for node in self._list_nodes():
            try:
                found = self._ask_node(*node)
            except RedisError as error:
                trouble = error
                continue
            if found.works or 2 * len(found.missing) < SLOTS:
                self._answered = node
                return found
            if best is None or len(found.missing) < len(best.missing):
                best = found
        if best is None:
            raise trouble
        return best

    def _ask_node(self, host: str, port: int) -> ClusterState:
        limits = {"socket_timeout": ANSWER_SOON_S, "socket_connect_timeout": ANSWER_SOON_S}
        with self._cluster.make_client(host, port, **limits) as asked:
            try:
                return _read_state(asked)
            finally:
                # The client leaves its connection to the garbage collection, which may come late.
                asked.connection_pool.disconnect()

    def _list_nodes(self) -> list[tuple[str, int]]:
        """Return host and port of all known nodes; first the node that has answered last."""
        nodes = self._cluster.list_nodes()
        return sorted(nodes, key=lambda node: node != self._answered)


def _read_state(node: Any) -> ClusterState:
    said: Any = node.execute_command("CLUSTER INFO")
    fields = said if isinstance(said, dict) else _read_fields(bytes(said).decode())
    works = fields["cluster_state"] == "ok"
    if int(fields["cluster_slots_ok"]) == SLOTS:
        return ClusterState(works, NONE_MISSING)
    nodes: Any = node.execute_command("CLUSTER NODES")
    served = [one["slots"] for one in nodes.values() if _FAILED.isdisjoint(one["flags"].split(","))]
    return ClusterState(works, _find_rest(served))


def _read_fields(text: str) -> dict[str, str]:
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _find_rest(served: Iterable[list[list[str]]]) -> frozenset[int]:
    """Return the slots that are in no range."""
    ranges = [one for ranges in served for one in ranges]
    present = {slot for one in ranges for slot in range(int(one[0]), int(one[-1]) + 1)}
    return frozenset(range(SLOTS)) - present


def write_slots(slots: Iterable[int]) -> str:
    """Return slots as people write them: `0-5460,7000`."""
    ranges: list[list[int]] = []
    for slot in sorted(slots):
        if ranges and slot == ranges[-1][1] + 1:
            ranges[-1][1] = slot
        else:
            ranges.append([slot, slot])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
