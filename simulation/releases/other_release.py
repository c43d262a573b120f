"""Processes of two releases side by side: an upgrade that is under way, and goes back and forth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from simulation.faults.schedule import PlannedFault
from simulation.releases.first_release import FORMAT, FirstRelease
from simulation.store.values.keyspace import Keyspace
from simulation.world.network import Network
from simulation.world.releases import LoadedRelease
from simulation.world.world import SECOND, SimulatedWorld

BEGINS_AFTER_NS: Final = 10 * SECOND
"""So long the first release has the store alone: then its heartbeats are known."""

RISES_WITHIN_S, WAITS_S = 900, 10
"""A worker that was killed stays in the lists of RQ for seven minutes, as if it ran."""


class ReleaseSwitch:
    """Says of which release a process is. It begins as the first release, where that has it."""

    def __init__(self, world: SimulatedWorld, network: Network) -> None:
        self.world, self.network = world, network
        self.first = FirstRelease()
        self._earlier = dict.fromkeys(self.first.bodies, True)
        self.is_over = False
        """Whether all processes are of today."""
        store: Any = network.store
        session = store.connect()
        store.execute(session, [b"SET", b"format", b"%d" % FORMAT], network.now_ms())
        store.close(session)

    def choose(
        self, name: str, body: Callable[[], Any]
    ) -> tuple[Callable[[], Any], LoadedRelease | None]:
        """Return what a process does when it starts, and its release if that is not today's."""
        if self._earlier.get(name) and self.read_format() <= FORMAT:
            return self.first.bodies[name], self.first.release
        return body, None

    def read_format(self) -> int:
        """Return the format of the store: a process of the first release starts on its own only."""
        store: Any = self.network.store
        space: Keyspace = store.spaces[0]
        return int(space.data[b"format"])

    def await_format(self, wanted: int) -> bool:
        """Let time pass until the store has a format; returns whether it comes in time."""
        for _ in range(RISES_WITHIN_S // WAITS_S):
            if self.read_format() == wanted:
                return True
            self.world.sleep(WAITS_S)
        return False

    def list_kinds(self) -> dict[str, Callable[[PlannedFault], None]]:
        """Return what inflicts each kind of fault."""
        return {"other_release": self._switch}

    def _switch(self, fault: PlannedFault) -> None:
        """Let a process end, and start again as the other release."""
        if self.is_over:
            return
        name = list(self._earlier)[fault.skips % len(self._earlier)]
        self._earlier[name] = not self._earlier[name]
        self._end(name)

    def upgrade(self) -> None:
        """Let all processes be of today."""
        self.is_over = True
        for name, is_earlier in self._earlier.items():
            if is_earlier:
                self._earlier[name] = False
                self._end(name)

    def _end(self, name: str) -> None:
        process = self.world.processes.get(name)
        whose = "the first release" if self._earlier[name] else "this release"
        self.world.trace.note(self.world.now, "world", f"{name} becomes {whose}")
        if process is not None:
            self.world.halt(process)
