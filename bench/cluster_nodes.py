"""A cluster of Valkey servers on this machine, for tests and benches: masters and replicas.

The nodes listen on loopback, on ports that the system has chosen. A node can be killed as a machine
that loses its power, and started again on its directory.

`python -m bench.cluster_nodes DIR` runs three masters with two replicas each, and a server for the
registry, until it is interrupted: a place to try what `docs/operations.md` says. DIR must be new.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from bench.ports import find_free_ports
from cartulary.cli.embedded.embedded import EmbeddedValkey, find_server
from cartulary.events.server.die_with_parent import make_end_with_parent

SLOTS: Final = 16384
HOST: Final = "127.0.0.1"
WITHIN_S: Final = 60.0
"""A cluster that takes longer for anything counts as broken."""


class ClusterNode:
    """A server of a cluster; `durability` is `off`, `everysec` or `always`.

    With a `timeout_ms` of 0 it is a server by itself.
    """

    def __init__(self, folder: Path, timeout_ms: int, durability: str) -> None:
        self.folder, self._timeout_ms, self._durability = folder, timeout_ms, durability
        self.port, self.bus_port = find_free_ports(2)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Return host and port."""
        return f"{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        """Return the process id, None while the node does not run."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the server; it may not answer yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = {
            "port": self.port,
            "bind": HOST,
            **(self._list_cluster_options() if self._timeout_ms else {}),
            "dir": self.folder,
            "logfile": self.folder / "log",
            "daemonize": "no",
            "save": "",
            "appendonly": "no" if self._durability == "off" else "yes",
            "appendfsync": "everysec" if self._durability == "off" else self._durability,
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            [find_server(), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=make_end_with_parent(signal.SIGTERM),
        )

    def _list_cluster_options(self) -> dict[str, Any]:
        return {
            "cluster-enabled": "yes",
            "cluster-port": self.bus_port,
            "cluster-node-timeout": self._timeout_ms,
            "cluster-config-file": "nodes.conf",
            # A slot without a master leaves the games of all other slots alone.
            "cluster-require-full-coverage": "no",
            # Replicas load at once, and take over however old their data are.
            "repl-diskless-sync": "yes",
            "repl-diskless-sync-delay": 0,
            "cluster-replica-validity-factor": 0,
        }

    def ask(self, *command: Any) -> Any:
        """Return the answer of this node to a command. Raises `RedisError`."""
        client: Any = Redis(
            host=HOST, port=self.port, socket_timeout=5, retry=Retry(NoBackoff(), 0)
        )
        client.response_callbacks.clear()
        try:
            return client.execute_command(*command)
        finally:
            client.close()

    def read(self, *command: str) -> dict[str, str]:
        """Return the lines `name:value` of the answer to a command."""
        lines = bytes(self.ask(*command)).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def kill(self) -> None:
        """End the server at once, as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        """End the server, if it runs."""
        if self._process is not None:
            self.kill()


class BenchCluster:
    """Masters with an equal share of the slots each, the first of them with replicas."""

    def __init__(
        self,
        folder: Path,
        masters: int = 3,
        replicas: int = 0,
        timeout_ms: int = 15_000,
        durability: str = "off",
    ) -> None:
        make = partial(ClusterNode, timeout_ms=timeout_ms, durability=durability)
        self.masters = [make(folder / f"master-{number}") for number in range(masters)]
        self.replicas = [make(folder / f"replica-{number}") for number in range(replicas)]

    @property
    def nodes(self) -> list[ClusterNode]:
        """Return all nodes."""
        return [*self.masters, *self.replicas]

    @property
    def url(self) -> str:
        """Return the address of the cluster, with all nodes in it."""
        return "redis+cluster://" + ",".join(node.address for node in self.nodes)

    def start(self) -> None:
        """Start all nodes and make one cluster of them."""
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            wait_until(partial(answers, node))
        share = -(-SLOTS // len(self.masters))
        for number, node in enumerate(self.masters):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            last = min(SLOTS, share * (number + 1)) - 1
            node.ask("CLUSTER", "ADDSLOTSRANGE", share * number, last)
        first = self.masters[0]
        for node in self.nodes[1:]:
            first.ask("CLUSTER", "MEET", HOST, node.port, node.bus_port)
        wait_until(lambda: all(self.is_complete(node) for node in self.nodes))
        for number, node in enumerate(self.replicas):
            self._join(node, self.masters[number % len(self.masters)])
        for node in self.replicas:
            wait_until(partial(is_in_step, node))

    def _join(self, node: ClusterNode, master: ClusterNode) -> None:
        node.ask("CLUSTER", "REPLICATE", master.ask("CLUSTER", "MYID"))

    def is_complete(self, node: ClusterNode) -> bool:
        """Return whether a node knows all others and a master of each slot."""
        try:
            said = node.read("CLUSTER", "INFO")
        except RedisError:
            return False
        known = int(said["cluster_known_nodes"]) == len(self.nodes)
        return known and _is_whole(said)

    def takes_commands(self, node: ClusterNode) -> bool:
        """Return whether a node says that the cluster takes commands."""
        return node.read("CLUSTER", "INFO")["cluster_state"] == "ok"

    def await_master(self, node: ClusterNode) -> None:
        """Wait until a node is the master of slots, and the cluster works."""
        wait_until(lambda: is_master(node) and _is_whole(node.read("CLUSTER", "INFO")))

    def stop(self) -> None:
        """End all nodes."""
        for node in self.nodes:
            node.stop()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _is_whole(said: dict[str, str]) -> bool:
    """Return whether a node says that it takes commands, and that all slots have a master."""
    return said["cluster_state"] == "ok" and int(said["cluster_slots_ok"]) == SLOTS


def is_master(node: ClusterNode) -> bool:
    """Return whether a node is a master; False while it does not answer."""
    try:
        return node.read("INFO", "replication")["role"] == "master"
    except RedisError:
        return False


def is_in_step(node: ClusterNode) -> bool:
    """Return whether a replica has what its master has; False while it does not answer."""
    try:
        said = node.read("INFO", "replication")
    except RedisError:
        return False
    return said["role"] == "slave" and said["master_link_status"] == "up"


def answers(node: ClusterNode) -> bool:
    """Return whether a node answers."""
    try:
        return bool(node.ask("PING"))
    except RedisError:
        return False


def wait_until(holds: Callable[[], bool], within_s: float = WITHIN_S) -> None:
    """Wait until something holds; raises `TimeoutError`."""
    until = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > until:
            raise TimeoutError(f"not within {within_s} s")
        time.sleep(0.02)


def run_trial(folder: Path) -> None:
    """Run a cluster and a registry until SIGINT, and print the settings of those who use them."""
    folder.mkdir(parents=True)
    (folder / "registry").mkdir()
    with BenchCluster(folder / "games", 3, 6, 2000, "everysec") as cluster:
        registry = EmbeddedValkey(folder / "registry")
        with registry:
            print(f"export CARTULARY_EVENTS_URL={cluster.url}")
            print(f"export CARTULARY_QUEUE_URL={registry.url}", flush=True)
            for node in cluster.nodes:
                kind = "master" if node in cluster.masters else "replica"
                print(f"{kind} {node.address}: process {node.pid}", file=sys.stderr)
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    try:
        run_trial(Path(sys.argv[1]).absolute())
    except KeyboardInterrupt:
        sys.exit(130)
