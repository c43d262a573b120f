"""A real master with a replica that goes away, comes back, and takes over; a process that waits."""

from __future__ import annotations

import random
import tempfile
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from bench.cluster_nodes import HOST, ClusterNode, answers, wait_until
from cartulary.events.commands.commands import Intent
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from simulation.specification.failing_over import FailingOver, build
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY
from simulation.specification.observing.replicas import ReplicaReader
from simulation.specification.recording import RunRecorder
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game

WEB, MACHINE = "web", "machine"
REQUESTS, ATTEMPTS = 5, 4
WITHIN_MS = 30


class Replicas:
    """One run on two servers of its own; the URL of another server is not used."""

    def __init__(self, _url: str, seed: int) -> None:
        self._rng, self._opened = random.Random(seed), ExitStack()
        folder = Path(self._opened.enter_context(tempfile.TemporaryDirectory()))
        self._master, self._replica = (
            ClusterNode(folder / name, 0, "off") for name in ("one", "two")
        )
        for node in (self._master, self._replica):
            node.start()
            self._opened.callback(node.stop)
            self._prepare(node)
        self._redis: Redis | None = None
        self._follow()
        aside = Store(connect(f"redis://{self._master.address}"), OFFERS)
        with closing(aside):
            self._player = aside.players.create("Ada")[0]
            self._table = aside.commands.create(Intent(self._player), beans_game()).table
        wait_until(self._is_in_step)
        self._reader = ReplicaReader(self._table.id)
        self.recorder = RunRecorder(seed, (WEB, MACHINE), self._reader)

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        with self._opened:
            self._redis = self.recorder.follow(connect(f"redis://{self._master.address}"))
            store = Store(self._redis, OFFERS, replicas_within_ms=WITHIN_MS)
            with closing(store):
                return self.recorder.run({WEB: lambda: self._play(store), MACHINE: self._trouble})

    def make_model(self) -> Model[FailingOver]:
        """Return the model of one process."""
        return build((WEB,), MANY, MANY, MANY)

    def _play(self, store: Store) -> None:
        for number in range(1, REQUESTS + 1):
            self._reader.numbers[WEB] = number
            for _ in range(ATTEMPTS):
                with self.recorder.aside():
                    table = store.projector.table(self._table.id)
                intent = Intent(self._player, key=str(number), body=number)
                try:
                    store.commands.move(intent, table.id, any_move(table))
                except RedisError:
                    continue
                self.recorder.note("answer", WEB, number)
                break
            else:
                return

    def _trouble(self) -> None:
        """Lose the replica and get it back; then lose the master, and get a replica again."""
        for happens in (self._lose_replica, self._follow, self._fail_over, self._follow):
            for turn in range(self._rng.randrange(2, 7)):
                self.recorder.do(("PAUSE", turn), lambda: None)
            happens()

    @staticmethod
    def _prepare(node: ClusterNode) -> None:
        """Wait for a server that starts; its replica is to get its copy at once."""
        wait_until(partial(answers, node))
        node.ask("CONFIG", "SET", "repl-diskless-sync-delay", "0")

    def _lose_replica(self) -> None:
        self._replica.ask("REPLICAOF", "NO", "ONE")
        wait_until(lambda: self._count_replicas() == 0)
        self.recorder.note("lose replica")

    def _follow(self) -> None:
        """Let the replica follow the master."""
        self._replica.ask("REPLICAOF", HOST, self._master.port)
        wait_until(self._has_copy)

    def _fail_over(self) -> None:
        """Let the master die and the replica take over, where clients find it from now on."""
        self._master.kill()
        self._replica.ask("REPLICAOF", "NO", "ONE")
        self.recorder.note("fail over")
        self._master, self._replica = self._replica, self._master
        assert self._redis is not None
        pool: Any = self._redis.connection_pool
        pool.connection_kwargs["port"] = self._master.port
        pool.disconnect()
        pool.reset()  # its connections would come back to the port that they know
        self._replica.start()
        self._prepare(self._replica)

    def _count_replicas(self) -> int:
        return int(self._master.read("INFO", "replication")["connected_slaves"])

    def _has_copy(self) -> bool:
        """Return whether the replica has got a whole copy: none takes over without."""
        return self._replica.read("INFO", "replication").get("master_link_status") == "up"

    def _is_in_step(self) -> bool:
        found = self._master.read("INFO", "replication")
        return f"offset={found['master_repl_offset']}" in found.get("slave0", "")
