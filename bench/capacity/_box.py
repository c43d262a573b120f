"""A service on this machine, and the CPU time that each kind of its processes has used.

The first box has one web process, one Valkey and the archive in SQLite; the second has two web
processes, a cluster of three masters, a Valkey as registry and the archive in PostgreSQL.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.cluster_nodes import BenchCluster
from bench.service._served import CONFIGURATION, Served, cpu_seconds, run_module, serve
from bench.store._postgresql import Cluster
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect
from cartulary.events.server.servers import list_servers
from cartulary.events.store import Store
from cartulary.games import OFFERS

DISPATCHER: Final = "cartulary.workers.dispatcher"
WORKER: Final = "cartulary.workers.worker"
DRAINED_WITHIN_S: Final = 120.0
ARGUMENTS: Final = ["-c", CONFIGURATION, "--keep-alive=600"]
"""Connections of the load outlive the slices in which another box is measured."""
SETTINGS: Final = {
    "CARTULARY_RATE_WRITES": "1000000000/minute",
    "CARTULARY_STREAMS_PER_ADDRESS": "1000000",
    "CARTULARY_LOG_REQUESTS": "0",
    "CARTULARY_ARCHIVE_AFTER": "off",
}


class BoxShape(NamedTuple):
    """What a box has: web processes, masters of a cluster (0: one Valkey), a dispatcher, a worker.

    `archive` is `sqlite` or `postgresql`.
    """

    web: int = 1
    masters: int = 0
    archive: str = "sqlite"
    dispatcher: bool = True
    worker: bool = False


FIRST: Final = BoxShape()
SECOND: Final = BoxShape(web=2, masters=3, archive="postgresql")


class BoxCpu(NamedTuple):
    """Seconds of CPU of the processes of a box; `client` is this process, which makes the load.

    `games` are the servers that have the games; a single Valkey is the registry as well.
    """

    web: float
    games: float
    registry: float
    dispatcher: float
    worker: float
    client: float

    def since(self, before: BoxCpu) -> BoxCpu:
        """Return what was used after an earlier reading."""
        return BoxCpu(*(now - then for now, then in zip(self, before, strict=True)))

    def plus(self, other: BoxCpu) -> BoxCpu:
        """Return the sum."""
        return BoxCpu(*(one + more for one, more in zip(self, other, strict=True)))

    def spread(self, number: int, idle: BoxCpu, seconds: float) -> BoxCpu:
        """Return µs for each of so many things, without what idle processes use in that time.

        `idle` is in seconds of CPU a second.
        """
        used = (one - rest * seconds for one, rest in zip(self, idle, strict=True))
        return BoxCpu(*(1e6 * max(0.0, one) / number for one in used))

    @property
    def service(self) -> float:
        """The sum without the client."""
        return sum(self) - self.client


class Box(NamedTuple):
    """What runs; the numbers are ids of processes."""

    served: Served
    store: Store
    games: tuple[int, ...]
    registry: tuple[int, ...]
    dispatcher: tuple[int, ...]
    worker: tuple[int, ...]
    archive_url: str

    def read_cpu(self) -> BoxCpu:
        """Return the CPU time that the processes have used."""
        return BoxCpu(
            web=self.served.cpu_seconds(),
            games=sum(map(cpu_seconds, self.games)),
            registry=sum(map(cpu_seconds, self.registry)),
            dispatcher=sum(map(cpu_seconds, self.dispatcher)),
            worker=sum(map(cpu_seconds, self.worker)),
            client=time.process_time(),
        )

    def read_idle(self, seconds: float) -> BoxCpu:
        """Return the seconds of CPU a second of processes that have nothing to do."""
        before, began = self.read_cpu(), time.monotonic()
        time.sleep(seconds)
        spent, lasted = self.read_cpu().since(before), time.monotonic() - began
        return BoxCpu(*(one / lasted for one in spent))._replace(client=0.0)

    def count_reads(self) -> int:
        """Return how often the servers of the games have read from their connections."""
        found: list[Any] = [one.info("stats") for one in list_servers(self.store.redis)]
        return sum(int(one["total_reads_processed"]) for one in found)

    def count_scripts(self) -> int:
        """Return how many scripts the registry has run: one for each table that is followed."""
        found: Any = self.store.registry.info("commandstats")
        return int(found["cmdstat_evalsha"]["calls"])

    def count_ranges(self) -> int:
        """Return how often streams were read, on all servers of the games."""
        found: list[Any] = [one.info("commandstats") for one in list_servers(self.store.redis)]
        return sum(int(one.get("cmdstat_xrange", {"calls": 0})["calls"]) for one in found)

    def drain(self) -> None:
        """Wait until the dispatcher has acted on all that was stored. Raises `TimeoutError`."""
        ends = time.monotonic() + DRAINED_WITHIN_S
        while self.dispatcher and self.store.outbox.depth():
            if time.monotonic() > ends:
                raise TimeoutError("the dispatcher does not come to the end of the outbox")
            time.sleep(0.02)


@contextmanager
def open_box(shape: BoxShape) -> Iterator[Box]:
    """Start all processes of a box, and end them. Raises `FileNotFoundError` without PostgreSQL."""
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        alone = held.enter_context(EmbeddedValkey(folder / "valkey"))
        games, url = [alone.pid], str(alone.url)
        if shape.masters:
            nodes = BenchCluster(folder / "nodes", shape.masters, durability="everysec")
            held.enter_context(nodes)
            games, url = [node.pid for node in nodes.nodes], nodes.url
        environment = {
            **SETTINGS,
            "CARTULARY_EVENTS_URL": url,
            "CARTULARY_QUEUE_URL": str(alone.url),
            "CARTULARY_ARCHIVE_URL": held.enter_context(_open_archive(folder, shape.archive)),
        }
        served = held.enter_context(serve(ARGUMENTS, environment, shape.web))
        roles = {DISPATCHER: shape.dispatcher, WORKER: shape.worker}
        started = {
            module: tuple([held.enter_context(run_module(module, environment))] if wished else [])
            for module, wished in roles.items()
        }
        redis = connect(url)
        store = Store(redis, OFFERS, registry=connect(str(alone.url)) if shape.masters else redis)
        held.callback(store.close)
        registry = [alone.pid] if shape.masters else []
        yield Box(
            served,
            store,
            tuple(pid for pid in games if pid is not None),
            tuple(pid for pid in registry if pid is not None),
            started[DISPATCHER],
            started[WORKER],
            environment["CARTULARY_ARCHIVE_URL"],
        )


@contextmanager
def _open_archive(folder: Path, kind: str) -> Iterator[str]:
    """Yield the URL of an archive, '' for none."""
    if kind == "postgresql":
        with open_postgresql() as cluster:
            yield cluster.url
        return
    yield f"sqlite:///{folder}/archive.sqlite" if kind else ""


@contextmanager
def open_postgresql() -> Iterator[Cluster]:
    """Yield a PostgreSQL that is thrown away. Raises `FileNotFoundError` where it is missing."""
    with tempfile.TemporaryDirectory(prefix="cartulary-postgresql-") as name:
        cluster = Cluster(Path(name))
        try:
            cluster.start(("fsync=off", "synchronous_commit=off", "max_connections=40"))
            yield cluster
        finally:
            cluster.stop(at_once=True)
