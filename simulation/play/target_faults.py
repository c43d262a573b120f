"""What goes wrong with the target of messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from simulation.faults.schedule import PlannedFault
from simulation.play.target import Conduct, SimulatedTarget
from simulation.world.world import SECOND

KINDS: Final[dict[str, Conduct]] = {
    "target_away": "away",
    "target_fails": "fails",
    "target_hangs": "hangs",
}
"""Each may cost the message about a turn of that time: the third attempt comes after minutes."""


class TargetFaults:
    """Spoils a target; `windows` are the seconds from when until when it took no message."""

    def __init__(self, target: SimulatedTarget) -> None:
        self.target = target
        self.windows: list[tuple[float, float]] = []

    def list_kinds(self) -> dict[str, Callable[[PlannedFault], None]]:
        """Return what inflicts each kind of fault."""
        spoil = {kind: partial(self._spoil, conduct) for kind, conduct in KINDS.items()}
        return {**spoil, "target_slow": self._slow_down}

    def _spoil(self, conduct: Conduct, fault: PlannedFault) -> None:
        seconds, target = 0.2 + 2.8 * fault.size, self.target
        now = target.world.now / SECOND
        self.windows.append((now, now + seconds))
        target.conduct = conduct
        target.world.at(int(seconds * SECOND), partial(setattr, target, "conduct", "takes"))

    def _slow_down(self, fault: PlannedFault) -> None:
        self.target.slowness_s = fault.size
        after = int(30 * SECOND)
        self.target.world.at(after, partial(setattr, self.target, "slowness_s", 0.0))
