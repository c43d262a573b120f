"""Looks for better weights of a bot against the pool of its game, then checks them elsewhere.

Each of `--steps` plays one deal of two trials against each style of the pool (SPSA, see
`league/tuning.py`); the steps are in `--out`, and a run goes on with them. At the end the tuned
weights and those of today play `--deals` other deals against the styles kept aside. The `ratio` is
the tuned share of wins there over that of today: weights that only fit the pool do not raise it.
`--fields` names the fields of the weights that are tuned, all without it. `--player` says whose
weights: `caylus-medium` has its beliefs, `carcassonne-hard` what a search believes of the ends of
its samples, `caylus-expert` how its tree divides the iterations. A search has `--iterations`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from cartulary.bots import Budget, Think
from cartulary.bots.base import think_once
from cartulary.bots.carcassonne import styles as carcassonne_styles
from cartulary.bots.carcassonne.search import HARD, search
from cartulary.bots.carcassonne.weights import WEIGHTS, Weights
from cartulary.bots.caylus import styles
from cartulary.bots.caylus.leaf import LEARNED
from cartulary.bots.caylus.tree import think_deeply
from cartulary.bots.caylus.weights import MEDIUM, TREE, TreeWeights
from cartulary.league.matches import PlayedMatch
from cartulary.league.players import STYLE
from cartulary.league.statistics import find_interval
from cartulary.league.tuning import TuningPlan, TuningStep, list_fields, play_pool, tune

COUNTS = ("half_time", "early", "most_farm_ends")
"""Fields of the weights of Carcassonne that count tiles or ends: they are not scaled."""

SHARES = ("city", "road", "monastery", "farm", "open_city")
"""Fields of the weights of Carcassonne that are chances in %."""

SUREST = 99
"""A chance is no greater, in %."""

FAR = 0.5
"""How far the weights of a tree are scaled: they were guessed, and a tenth more changes little."""


def _plan_caylus(_iterations: int) -> TuningPlan:
    pool = [STYLE + name for name in styles.POOL]
    return TuningPlan(
        "caylus",
        MEDIUM,
        lambda weights: think_once(styles.Style(weights)),
        ["medium", *pool],
        list_fields(MEDIUM),
    )


def _plan_carcassonne(iterations: int) -> TuningPlan:
    pool = [STYLE + name for name in carcassonne_styles.POOL]
    return TuningPlan(
        "carcassonne",
        WEIGHTS,
        _search_with,
        ["medium", *pool],
        [name for name in WEIGHTS._fields if name not in COUNTS],
        budget=Budget(iterations),
    )


def _plan_tree(iterations: int) -> TuningPlan:
    return TuningPlan(
        "caylus",
        TREE,
        _grow_with,
        [f"expert@{iterations}"],
        list_fields(TREE),
        budget=Budget(iterations),
        reach=FAR,
    )


def _grow_with(weights: TreeWeights) -> Think:
    """Return `expert` of Caylus with other weights of its tree."""
    return lambda state, rng, budget: think_deeply(state, rng, budget, LEARNED, weights)


def _search_with(weights: Weights) -> Think:
    """Return `hard` with other weights, in which no chance is greater than `SUREST`."""
    bounded = weights._replace(**{name: min(SUREST, getattr(weights, name)) for name in SHARES})
    return lambda state, rng, budget: search(state, rng, budget, HARD, bounded)


PLANS: Mapping[str, tuple[Callable[[int], TuningPlan], list[str]]] = {
    "carcassonne-hard": (_plan_carcassonne, [STYLE + name for name in carcassonne_styles.ASIDE]),
    "caylus-medium": (_plan_caylus, [STYLE + name for name in styles.ASIDE]),
    "caylus-expert": (_plan_tree, ["hard"]),
}
"""By player: what is tuned, and the players kept aside."""


def main(
    seconds: float = 0.0,
    player: str = "caylus-medium",
    steps: int = 100,
    deals: int = 10,
    seed: str = "tune",
    fields: str = "",
    out: str = "out/tune.ndjson",
    iterations: int = 16,
) -> dict[str, Any]:
    if player not in PLANS:
        raise SystemExit(f"{player} has no weights to tune; {', '.join(PLANS)} have")
    make, aside = PLANS[player]
    plan = make(iterations)
    known = plan.fields
    if fields:
        plan = plan._replace(fields=fields.split(","))
    if unknown := sorted(set(plan.fields) - set(known)):
        raise SystemExit(f"no field {', '.join(unknown)}; {', '.join(known)}")
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + (seconds or inf)
    last = tune(plan, steps, seed, Path(out), _show, lambda: time.monotonic() >= ends)
    tuned = play_pool(plan, last.factors, aside, f"{seed}/aside", range(deals))
    today = play_pool(plan, {}, aside, f"{seed}/aside", range(deals))
    found = {"tuned": sum_up(tuned), "today": sum_up(today)}
    ratio = found["tuned"]["won"] / max(found["today"]["won"], 1e-9)
    return {"factors": dict(last.factors), **found, "ratio": ratio}


def sum_up(games: list[PlayedMatch]) -> dict[str, float]:
    won = sum(game.won for game in games)
    low, high = find_interval(won, len(games))
    margin = sum(game.margin for game in games) / len(games)
    return {
        "games": len(games),
        "won": won / len(games),
        "low": low,
        "high": high,
        "margin": margin,
    }


def _show(step: TuningStep) -> None:
    print(f"step {step.number}: {step.up:.3f} up, {step.down:.3f} down", file=sys.stderr)
