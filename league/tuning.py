"""Looks for better weights of a bot: against a pool of opponents, checked on a pool kept aside.

Simultaneous perturbation (SPSA): in each step all fields of the weights are scaled up or down a
little at random; the weights and their mirror image play the same deals against each opponent of
the pool, and all fields move towards the better of the two. A field with several numbers is scaled
as a whole, so few games say something about it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.bots import Budget, Think
from cartulary.league.matches import LeagueMatch, PlayedMatch, Task, play
from cartulary.league.players import NO_SEARCH, LeaguePlayer, find_player
from cartulary.league.records import append_line, open_lines

REACH: Final = 0.15
"""How far the fields are scaled for a trial, where a plan says nothing else."""

PACE: Final = 0.5
"""How far a step goes, for a whole game of difference between the two trials."""

POINTS: Final = 15.0
"""A lead of so many points counts as a win of e : 1; leads say more than wins in few games."""

Make = Callable[[Any], Think]
"""From weights to the bot that plays with them."""


class TuningPlan(NamedTuple):
    """What is tuned: the game, the weights to begin with, the bot that they make, the opponents.

    `weights` is a NamedTuple of numbers and of tuples of numbers, perhaps with names in them.
    `fields` names those that are tuned. `budget` is that of the bot. For a trial each field is
    scaled by `reach` in the logarithm, up or down.
    """

    game: str
    weights: Any
    make: Make
    pool: Sequence[str]
    fields: Sequence[str]
    seats: int = 2
    budget: Budget = NO_SEARCH
    reach: float = REACH


class TuningStep(NamedTuple):
    """A step of the search: the factor of each field after it, the results of both trials."""

    number: int
    factors: Mapping[str, float]
    up: float
    down: float


def tune(
    plan: TuningPlan,
    steps: int,
    seed: str,
    out: Path,
    show: Callable[[TuningStep], None],
    is_over: Callable[[], bool] = lambda: False,
) -> TuningStep:
    """Return the last of so many steps; a run goes on with the steps that are in `out`.

    Each step plays one deal against each opponent. When `is_over` says so after a step, that step
    is the last. Raises `ValueError` for a file of another seed, `OtherLeague` while another run
    writes there.
    """
    with open_lines(out) as handle:
        done = _read_steps(out, seed)
        while len(done) < steps:
            last = done[-1].factors if done else dict.fromkeys(plan.fields, 1.0)
            step = try_step(plan, last, len(done), seed)
            append_line(handle, json.dumps({"seed": seed, **step._asdict()}))
            done.append(step)
            show(step)
            if is_over():
                break
    return done[-1]


def try_step(plan: TuningPlan, factors: Mapping[str, float], number: int, seed: str) -> TuningStep:
    """Return the next step from the factors before it."""
    rng = random.Random(f"{seed}/step {number}")
    signs = {field: rng.choice((-1, 1)) for field in plan.fields}
    up, down = (
        play_pool(
            plan,
            {name: factors[name] * exp(side * plan.reach * signs[name]) for name in signs},
            plan.pool,
            seed,
            [number],
        )
        for side in (1, -1)
    )
    moved = {
        name: factors[name] * exp(PACE * (rate(up) - rate(down)) * signs[name] * plan.reach)
        for name in signs
    }
    return TuningStep(number, moved, rate(up), rate(down))


def play_pool(
    plan: TuningPlan,
    factors: Mapping[str, float],
    pool: Sequence[str],
    seed: str,
    deals: Sequence[int],
) -> list[PlayedMatch]:
    """Return the games of scaled weights against each opponent, each deal with swapped seats."""
    think = plan.make(scale_fields(plan.weights, factors))
    mine = LeaguePlayer("weights", think, plan.budget, 1)
    games = list[PlayedMatch]()
    for name in pool:
        match, theirs = (
            LeagueMatch(plan.game, "weights", name, plan.seats),
            find_player(plan.game, name),
        )
        for deal in deals:
            numbers = range(len(match.list_seatings()))
            games += [play(Task(match, seed, deal, number), [mine, theirs]) for number in numbers]
    return games


def rate(games: Sequence[PlayedMatch]) -> float:
    """Return how well games went, 0 to 1: the lead of each, bent so that none counts too much."""
    return sum(1 / (1 + exp(-game.margin / POINTS)) for game in games) / len(games)


def scale_fields(weights: Any, factors: Mapping[str, float]) -> Any:
    """Return weights with the numbers of some fields scaled; whole numbers stay whole."""
    return weights._replace(
        **{name: _scale(getattr(weights, name), factor) for name, factor in factors.items()}
    )


def list_fields(weights: Any) -> list[str]:
    """Return the fields that have a number, whole numbers left out: they count things."""
    return [name for name in weights._fields if _has_number(getattr(weights, name))]


def _has_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_number, value))
    return isinstance(value, float)


def _scale(value: Any, factor: float) -> Any:
    if isinstance(value, tuple):
        return tuple([_scale(one, factor) for one in value])
    if isinstance(value, int):
        return round(value * factor)
    return value * factor if isinstance(value, float) else value


def _read_steps(out: Path, seed: str) -> list[TuningStep]:
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    if other := next((line["seed"] for line in lines if line["seed"] != seed), None):
        raise ValueError(f"{out} has steps with seed {other}, not {seed}")
    return [TuningStep(one["number"], one["factors"], one["up"], one["down"]) for one in lines]
