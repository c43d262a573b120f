"""How good the lines of a position are: means over samples that all lines share, in whole numbers.

The samples are those of the analysis (`bots.analysis`). Its shares of the win come from `math.exp`,
which machines round differently; here they come from a table of whole numbers, so the same seed
decides the same everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Analyst, Plan, SampleOutcome
from cartulary.engine.core import State

POINT: Final = 1024
"""A point in units: what bots expect is rounded to these."""

WHOLE: Final = 1 << 20
"""A sure win in units."""

CLOSE: Final = 2 * POINT
NEAR_POINTS: Final = 16 * POINT // 5
NEAR_WINS: Final = WHOLE * 85 // 1000
"""A line that is less than this behind the best is near it: asked are 3 points and 8 % of wins, and
a little more, because what only just passes often fails at more thinking."""

STEPS: Final = 64
"""The number of steps of `list_powers` that make a chance smaller by the factor e."""

SMALLER: Final = 1_082_465_279_991
"""e to the power of -1/64, in 2 ** -40ths."""


class Thinking(NamedTuple):
    """How much a position is thought about.

    The `width` most promising lines get `first` samples each, the best `finalists` `samples`.
    """

    width: int
    first: int
    finalists: int
    samples: int

    def times(self, factor: int) -> Thinking:
        """Return so many times the thinking: more samples, and half as many lines again."""
        wide = self.width if factor == 1 else self.width * 3 // 2
        first = max(self.first, self.first * factor // 2)
        return Thinking(wide, first, self.finalists, self.samples * factor)


class JudgedLine:
    """A line with its samples: `margins` in units of a point, `wins` in units of a win."""

    __slots__ = ("margins", "plan", "wins")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.margins: list[int] = []
        self.wins: list[int] = []

    @property
    def margin(self) -> int:
        """The mean lead over the best other seat, in units of a point."""
        return sum(self.margins) // len(self.margins)

    @property
    def win(self) -> int:
        """The mean share of the win, in units of a win."""
        return sum(self.wins) // len(self.wins)


class LineGap(NamedTuple):
    """How much better a line is than another, over the samples that both have; in units."""

    points: int
    wins: int


def compare_lines(better: JudgedLine, worse: JudgedLine) -> LineGap:
    """Return how much better the first line is."""
    count = min(len(better.margins), len(worse.margins))
    points = sum(better.margins[:count]) - sum(worse.margins[:count])
    wins = sum(better.wins[:count]) - sum(worse.wins[:count])
    return LineGap(points // count, wins // count)


class LineJudge:
    """Judges the lines of one position; all lines get the same samples."""

    def __init__(self, analyst: Analyst[Any], state: State[Any], seed: str) -> None:
        self._analyst, self._state = analyst.open(seed), state
        self._rng, self._samples = random.Random(seed), list[Any]()

    def list_plans(self, width: int) -> list[Plan]:
        """Return the lines that promise most at once, the best first."""
        return self._analyst.list_plans(self._state, self._rng, width)

    def judge(
        self, plans: Iterable[Plan], thinking: Thinking, kept: Sequence[Plan] = ()
    ) -> list[JudgedLine]:
        """Return lines with samples, the best first, or none when too many are close to the best.

        Lines of `kept` are among them. All that are close to the best line have all samples.
        """
        most = max(thinking.first, thinking.samples)
        # All at once: samples that are drawn together share what they find out.
        self._samples = self._analyst.draw_samples(self._state, self._rng, most)
        lines = [JudgedLine(plan) for plan in dict.fromkeys([*kept, *plans])]
        self._play_out(lines, thinking.first)
        for count in (thinking.first, most // 2, most):
            finalists = _sort(lines)[: thinking.finalists]
            close = [line for line in lines if is_close(lines[0], line)]
            if len(close) > thinking.finalists + 1:
                return []
            self._play_out([*finalists, *close], count)
        # A line with few samples may be close to the line that is the best by now.
        while late := [line for line in _sort(lines) if self._is_late(lines[0], line, most)]:
            self._play_out(late, most)
        return lines

    def _is_late(self, best: JudgedLine, line: JudgedLine, most: int) -> bool:
        return len(line.margins) < most and is_near(best, line)

    def _play_out(self, lines: Iterable[JudgedLine], count: int) -> None:
        for line in lines:
            for sample in self._samples[len(line.margins) : count]:
                outcome = self._analyst.play_out(self._state, line.plan, sample)
                values, seat = round_values(outcome), self._state.seat
                line.margins.append(values[seat] - max(values[:seat] + values[seat + 1 :]))
                line.wins.append(share_wins(values, round(POINT * outcome.scale))[seat])


def _sort(lines: list[JudgedLine]) -> list[JudgedLine]:
    """Sort lines, the best first; those with many samples before those with few."""
    lines.sort(key=lambda line: (len(line.margins), line.margin), reverse=True)
    return lines


def is_close(best: JudgedLine, line: JudgedLine) -> bool:
    """Return whether a line may be near the best after more samples."""
    return compare_lines(best, line).points < CLOSE


def is_near(best: JudgedLine, line: JudgedLine) -> bool:
    """Return whether a line is not clearly worse than the best."""
    gap = compare_lines(best, line)
    return gap.points < NEAR_POINTS or gap.wins < NEAR_WINS


def round_values(outcome: SampleOutcome) -> list[int]:
    """Return what each seat may expect, in units of a point."""
    return [round(POINT * value) for value in outcome.values]


def share_wins(values: Sequence[int], scale: int) -> list[int]:
    """Return the share of the win of each seat in units; `scale` in units of a point, 0 at the end.

    A seat that is `scale` behind has e times less than the best.
    """
    best, powers = max(values), list_powers()
    weights = []
    for value in values:
        behind = (best - value) * STEPS // scale if scale else (0 if value == best else len(powers))
        weights.append(powers[behind] if behind < len(powers) else 0)
    total = sum(weights)
    return [WHOLE * weight // total for weight in weights]


@cache
def list_powers() -> tuple[int, ...]:
    """Return the powers of e to the power of -1/64, until they are too small to count."""
    powers, power = [], 1 << 40
    while power > 1 << 20:
        powers.append(power)
        power = power * SMALLER >> 40
    return tuple(powers)
