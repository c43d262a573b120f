"""Compares the plans of one turn by samples that all of them share."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import exp, fsum, sqrt
from typing import Any, NamedTuple

from cartulary.bots.analysis.base import AnalysisEffort, Analyst, Plan, SampleOutcome
from cartulary.engine.core import State


class Rated:
    """A plan with its samples: `margins` in points, `wins` as shares of the win, both in order."""

    __slots__ = ("margins", "plan", "wins")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.margins: list[float] = []
        self.wins: list[float] = []

    def add(self, outcome: SampleOutcome, seat: int) -> None:
        """Count one more sample for a seat."""
        self.margins.append(find_margin(outcome.values, seat))
        self.wins.append(share_win(outcome)[seat])

    @property
    def margin(self) -> float:
        """The mean lead over the best other seat."""
        return fsum(self.margins) / len(self.margins)

    @property
    def win(self) -> float:
        """The mean share of the win."""
        return fsum(self.wins) / len(self.wins)


class Gap(NamedTuple):
    """How much better a plan is than another: in points, with the standard error, and in wins."""

    margin: float
    error: float
    win: float


def find_margin(values: Sequence[float], seat: int) -> float:
    """Return the lead of a seat over the best other seat."""
    return values[seat] - max(value for other, value in enumerate(values) if other != seat)


def share_win(outcome: SampleOutcome) -> list[float]:
    """Return the share of the win that each seat may expect; together 1.

    With two seats it is the logistic function of the lead, divided by `scale`; with more seats each
    lead counts in the same way (softmax).
    """
    best = max(outcome.values)
    if outcome.scale <= 0:
        weights = [float(value == best) for value in outcome.values]
    else:
        weights = [exp((value - best) / outcome.scale) for value in outcome.values]
    total = fsum(weights)
    return [weight / total for weight in weights]


def compare(better: Rated, worse: Rated) -> Gap:
    """Return the gap between two plans over the samples that both have."""
    if better is worse:
        return Gap(0.0, 0.0, 0.0)
    count = min(len(better.margins), len(worse.margins))
    gaps = [a - b for a, b in zip(better.margins, worse.margins, strict=False)]
    wins = [a - b for a, b in zip(better.wins, worse.wins, strict=False)]
    mean = fsum(gaps) / count
    spread = fsum((gap - mean) ** 2 for gap in gaps) / (count - 1) if count > 1 else 0.0
    return Gap(mean, sqrt(spread / count), fsum(wins) / count)


def rate_plans(
    analyst: Analyst[Any], state: State[Any], made: Plan, effort: AnalysisEffort, rng: random.Random
) -> list[Rated]:
    """Return the plans of the pending turn with their samples, the best first.

    The plan that was made is among them, and so is the best plan that begins as it does: each
    decision of the turn can be judged from the same samples.
    """
    rated = [Rated(plan) for plan in _choose_plans(analyst, state, made, effort, rng)]
    _play_out(analyst, state, rated, analyst.draw_samples(state, rng, effort.first))
    rated.sort(key=lambda one: _rank(one, made), reverse=True)
    finalists = _choose_finalists(rated, made, effort.finalists)
    if len(finalists) > 1:
        more = analyst.draw_samples(state, rng, effort.more, effort.first)
        _play_out(analyst, state, finalists, more)
        finalists.sort(key=lambda one: _rank(one, made), reverse=True)
    return [*finalists, *(one for one in rated if one not in finalists)]


def _rank(rated: Rated, made: Plan) -> tuple[float, int]:
    """Return what plans are sorted by: of equal plans the plan that was made comes first."""
    alike = 0
    while alike < len(made) and rated.plan[: alike + 1] == made[: alike + 1]:
        alike += 1
    return rated.margin, alike


def _choose_plans(
    analyst: Analyst[Any], state: State[Any], made: Plan, effort: AnalysisEffort, rng: random.Random
) -> list[Plan]:
    promising = analyst.list_plans(state, rng, effort.plans)
    own = [analyst.complete(state, made[:length])[:OWN] for length in range(1, len(made) + 1)]
    return list(dict.fromkeys([*promising, *(plan for plans in own for plan in plans)]))


OWN = 3
"""The least number of plans beginning as the played plan that are compared with it."""


def _choose_finalists(rated: list[Rated], made: Plan, count: int) -> list[Rated]:
    """Return the best plans, and the best one that begins with each part of the plan made."""
    chosen = rated[:count]
    for length in range(1, len(made) + 1):
        first = next(one for one in rated if one.plan[:length] == made[:length])
        if first not in chosen:
            chosen.append(first)
    return chosen


def _play_out(
    analyst: Analyst[Any], state: State[Any], rated: Iterable[Rated], samples: list[Any]
) -> None:
    """Give each plan the same samples."""
    for one in rated:
        for sample in samples:
            one.add(analyst.play_out(state, one.plan, sample), state.seat)
