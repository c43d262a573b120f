"""The schedule of the faults of a run, from a random stream of its own.

A fault that is masked changes nothing else in the schedule: a run with fewer faults is begun in the
same way, and what goes wrong later is what the rest makes of it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from simulation.world.world import SECOND

HOUR: Final = 3600 * SECOND

OF_PROCESSES: Final = (
    *("crash_before", "crash_after", "cut_before", "cut_after", "late"),
    *("pause", "partition", "clock_jump", "drift", "fall_back_between"),
)
"""Kinds of faults that happen to one process of the service."""


class PlannedFault(NamedTuple):
    """A fault: its place in the schedule, when it happens (virtual ns), its kind, and to whom.

    `target` is '' for what happens to the store or to an answer on its way to a person; `size` says
    how long or how far, 0 to 1; `skips` how many requests of the target pass before one is hit.
    """

    number: int
    at: int
    kind: str
    target: str
    size: float
    skips: int

    def describe(self) -> str:
        """Return a line of a story."""
        whom = f" of {self.target}" if self.target else ""
        return f"fault {self.number}: {self.kind}{whom} ({self.size:.2f})"


def draw_schedule(
    seed: str, rates: Mapping[str, float], hours: float, targets: Sequence[str]
) -> list[PlannedFault]:
    """Return the faults of a run in the order of time; `rates` are numbers for each hour."""
    found: list[tuple[int, str, str, float, int]] = []
    for kind, rate in sorted(rates.items()):
        rng = random.Random(f"{seed}/faults/{kind}")
        at = rng.expovariate(rate / HOUR)
        while at < hours * HOUR:
            target = rng.choice(targets) if kind in OF_PROCESSES else ""
            found.append((int(at), kind, target, rng.random(), rng.choice((0, 0, 1, 2, 5, 11))))
            at += rng.expovariate(rate / HOUR)
    return [PlannedFault(number, *one) for number, one in enumerate(sorted(found))]


def mask(schedule: Sequence[PlannedFault], only: Collection[int] | None) -> list[PlannedFault]:
    """Return the faults with these numbers, all without any."""
    return [fault for fault in schedule if only is None or fault.number in only]
