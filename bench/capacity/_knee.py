"""The knee: loads that rise in steps, where the latency leaves, whether that was foreseen."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from bench.capacity._box import Box
from bench.notices._moving import PacedMoves
from bench.service.http import open_tables
from cartulary.cli.shared.progress import progress

SHARES: Final = (0.3, 0.6, 0.8, 0.9, 1.0, 1.15, 1.3)
"""The offered loads, as shares of what the processors could do by CPU time."""
TABLES: Final = 400
WARM_UP_S: Final = 1.0
LEFT: Final = 3.0
"""The latency has left when the p99 is so many times that of the first step."""


class KneeStep(NamedTuple):
    """A step: moves a second that were offered and made, latencies in ms, processors in use.

    The latency counts from the moment at which a move was due. `waiting` moves wait for the
    dispatcher at the end; `us` is the CPU time of a move in service and client.
    """

    offered: float
    made: float
    p50_ms: float
    p99_ms: float
    cores: float
    waiting: int
    us: float


class Knee(NamedTuple):
    """The steps; `at` is the step at which the latency leaves, None where it never does.

    `most` moves a second were made; `foreseen` by the processors that were had, ÷ the CPU time of
    a move in a busy service, client included.
    """

    steps: list[KneeStep]
    at: float | None
    most: float
    foreseen: float

    @property
    def error(self) -> float:
        """How far what was foreseen is from what was made, as a share of it."""
        return self.foreseen / self.most - 1


def drive(box: Box, move_us: float, seconds: float) -> Knee:
    """Offer moves in steps; `move_us` is what a move takes of the processors, client included."""
    moves = PacedMoves(box.served, open_tables(box.served, TABLES))
    cores = len(os.sched_getaffinity(0))
    moves.offer(1e6 * cores / move_us / 4, WARM_UP_S)
    steps = []
    with progress("steps to the knee") as show:
        for done, share in enumerate(SHARES, start=1):
            box.drain()
            steps.append(_step(box, moves, share * 1e6 * cores / move_us, seconds))
            show(done, len(SHARES))
    return find_knee(steps, move_us)


def _step(box: Box, moves: PacedMoves, rate: float, seconds: float) -> KneeStep:
    before, began = box.read_cpu(), time.monotonic()
    made = moves.offer(rate, seconds)
    spent, waiting = box.read_cpu().since(before), box.store.outbox.depth()
    lasted = time.monotonic() - began
    hundredths = statistics.quantiles(made.latencies, n=100)
    return KneeStep(
        rate,
        made.per_second,
        1000 * hundredths[49],
        1000 * hundredths[98],
        sum(spent) / lasted,
        waiting,
        1e6 * sum(spent) / made.moves,
    )


def find_knee(steps: Sequence[KneeStep], move_us: float) -> Knee:
    """Return where the latency leaves, and the most that was made and foreseen."""
    first = steps[0]
    left = (one.offered for one in steps if one.p99_ms > LEFT * first.p99_ms)
    best = max(steps, key=lambda one: one.made)
    return Knee(list(steps), next(left, None), best.made, 1e6 * best.cores / move_us)
