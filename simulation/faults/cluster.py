"""The cluster of a run: three masters with a replica each, slots that move, masters that fail.

The games are there; the registry stays on the store of the world. The nodes serve slots that have a
master while others have none (`cluster-require-full-coverage no`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from typing import Final

from bench.faults.journal import Journal
from cartulary.events.server import cluster_outbox
from simulation.faults.schedule import PlannedFault
from simulation.store.own.cluster import SLOTS, ModelCluster
from simulation.store.server import ModelServer
from simulation.world import connection
from simulation.world.network import Network
from simulation.world.nodes import NodeNetwork
from simulation.world.world import SECOND

MASTERS: Final = 3

GAME_SLOTS: Final = tuple((2 * number + 1) * SLOTS // 48 for number in range(24))
"""The slots that new games get; a test compares them with those of the service."""

STEP_NS: Final = SECOND // 20
"""Between two portions of the keys of a slot that is being moved."""

LOOKS_EVERY_S: Final = 0.06
"""Between two looks of a dispatcher at the 24 outboxes: three times what the service takes.

At its 20 ms nineteen of twenty requests of a cluster are looks that find nothing.
"""

PORTION: Final = 5
"""The number of keys of a slot that are moved at once."""


class SimulatedCluster:
    """Nodes in one network, and what goes wrong with them."""

    def __init__(self, first: Network, journal: Journal) -> None:
        self.world, self.journal = first.world, journal
        rng = random.Random(f"{self.world.seed}/cluster")
        masters = [self._make(rng, n) for n in range(1, MASTERS + 1)]
        self.model = ModelCluster(masters)
        self.networks: dict[ModelServer, NodeNetwork] = {}
        for number, master in enumerate(masters, MASTERS + 1):
            host, port = _name(number)
            self.model.add(master.fork_replica(host=host, port=port))
        for node in self.model.nodes:
            assert isinstance(node, ModelServer)
            self.networks[node] = NodeNetwork(first, node)
        self._replaced: set[ModelServer] = set()
        """Masters that have failed or are apart, until they follow the one that replaces them."""
        setattr(cluster_outbox, "POLL_S", LOOKS_EVERY_S)  # noqa: B010
        places = {(node.host, node.port): one for node, one in self.networks.items()}
        connection.use(first, places)
        asked = ",".join("{}:{}".format(*_name(n)) for n in range(1, MASTERS + 1))
        os.environ.update(
            CARTULARY_EVENTS_URL=f"redis+cluster://{asked}?protocol=2",
            CARTULARY_QUEUE_URL=connection.URL,
            CARTULARY_DURABILITY="replicated",
        )

    def _make(self, rng: random.Random, number: int) -> ModelServer:
        host, port = _name(number)
        return ModelServer(random.Random(rng.getrandbits(64)), host=host, port=port)

    def tick(self) -> None:
        """Let all nodes notice the time."""
        for network in self.networks.values():
            network.tick()

    def count_requests(self) -> int:
        """Return how many requests the nodes have done."""
        return sum(network.requests for network in self.networks.values())

    def list_kinds(self) -> dict[str, Callable[[PlannedFault], None]]:
        """Return what inflicts each kind of fault."""
        return {
            "slot_moves": self._move_slot,
            "master_fails": self._fail,
            "master_apart": self._part,
            "replica_lags": self._lag,
        }

    def _tell(self, line: str) -> None:
        self.world.trace.note(self.world.now, "world", line)

    def list_masters(self) -> list[ModelServer]:
        """Return the masters that run, and have slots and a replica that follows."""
        owners = dict.fromkeys(owner for _, _, owner in self.model.list_ranges(self._find_any()))
        return [one for one in self.networks if one in owners and not one.is_down]

    def _find_any(self) -> ModelServer:
        return next(iter(self.networks))

    # -- slots ------------------------------------------------------------------------------------

    def _move_slot(self, fault: PlannedFault) -> None:
        slot = GAME_SLOTS[int(fault.size * len(GAME_SLOTS))]
        source = self.model.find_owner(self._find_any(), slot)
        others = [one for one in self.list_masters() if one is not source]
        if source is None or source.is_down or not others or slot in self.model.moving:
            return
        target = others[fault.skips % len(others)]
        self.model.begin_move(slot, target)
        self._tell(f"slot {slot} begins to move from {source.host} to {target.host}")
        self.world.at(STEP_NS, partial(self._go_on_moving, slot))

    def _go_on_moving(self, slot: int) -> None:
        if slot not in self.model.moving:  # a master has failed meanwhile
            return
        source, target = self.model.moving[slot]
        if source.is_down or target.is_down:
            self.world.at(SECOND, partial(self._go_on_moving, slot))
            return
        for node in (source, target):
            node.begin_turn(self.world.epoch // 1_000_000 + self.world.now // 1_000_000)
        if self.model.move_keys(slot, PORTION) == PORTION:
            self.world.at(STEP_NS, partial(self._go_on_moving, slot))
            return
        self.model.end_move(slot)
        self._tell(f"slot {slot} has moved to {target.host}")
        for network in self.networks.values():
            network.look_for_pushed()

    # -- masters and replicas ---------------------------------------------------------------------

    def _choose(self, fault: PlannedFault) -> ModelServer | None:
        """Return a master that has a replica that runs."""
        found = [one for one in self.list_masters() if any(not r.is_down for r in one.replicas)]
        busy = {node for pair in self.model.moving.values() for node in pair}
        free = [one for one in found if one not in busy | self._replaced]
        return free[int(fault.size * 1000) % len(free)] if free else None

    def _lag(self, fault: PlannedFault) -> None:
        """Let the replica of a master stop following for up to 4 s."""
        master = self._choose(fault)
        if master is not None:
            network = self.networks[master]
            network.is_replicating = False
            self.world.at(int(4 * fault.size * SECOND), network.follow_on)

    def _fail(self, fault: PlannedFault) -> None:
        """Kill a master; its replica takes over within some seconds."""
        master = self._choose(fault)
        if master is None:
            return
        self._replaced.add(master)
        self._tell(f"{master.host} is killed")
        self.networks[master].go_down()
        master.crash(self.networks[master].now_ms())
        self.model.failed.add(master)
        self.world.at(int((0.5 + 3 * fault.size) * SECOND), partial(self._take_over, master))

    def _part(self, fault: PlannedFault) -> None:
        """Cut a master off from the other nodes, not from the processes.

        It goes on for two seconds, and no other node has what it stores; then it takes nothing.
        """
        master = self._choose(fault)
        if master is None:
            return
        self._replaced.add(master)
        self._tell(f"{master.host} is apart")
        self.networks[master].is_replicating = False
        self.model.cut_off(master)
        self.world.at(2 * SECOND, partial(self.model.down.add, master))
        self.world.at(int((1.0 + 3 * fault.size) * SECOND), partial(self._take_over, master))

    def _take_over(self, master: ModelServer) -> None:
        replica = next((one for one in master.replicas if not one.is_down), None)
        assert isinstance(replica, ModelServer)
        began = self.world.now / SECOND
        if replica.lag:
            missing = master.journal.list_after(max(replica.applied, master.journal.begin))
            if missing:
                began = missing[0].now / 1000 - self.world.epoch / SECOND - 0.001
        # What a reader was shown between the two may go back; what was promised may not.
        self.journal.note_fallback(began, self.world.now / SECOND)
        lag, host = replica.lag, replica.host
        self.model.fail_over(replica)
        self._tell(f"{host} takes over from {master.host}; it lacked {lag} records")
        self.world.at(5 * SECOND, partial(self._come_back, master, replica))

    def _come_back(self, old: ModelServer, master: ModelServer) -> None:
        """Let a master that was replaced follow the one that has replaced it."""
        network = self.networks[old]
        if not network.is_up:
            old.restart(network.now_ms())
            network.is_up = True
        else:
            network.cut_all()
        self.model.failed.discard(old)
        self._replaced.discard(old)
        self.model.join(old)
        network.follow_on()
        while master.master is not None:  # it has failed itself since
            master = master.master  # type: ignore[assignment]
        old.follow(master)
        self._tell(f"{old.host} follows {master.host}")


def _name(number: int) -> tuple[str, int]:
    return f"node-{number}", 7000 + number
