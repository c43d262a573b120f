"""Looks for better weights of a bot against the pool of its game, then checks them elsewhere.

Each of `--steps` plays one deal of two trials against each style of the pool (SPSA, see
`league/tuning.py`); the steps are in `--out`, and a run goes on with them. At the end the tuned
weights and those of today play `--deals` other deals against the styles kept aside. The `ratio` is
the tuned share of wins there over that of today: weights that only fit the pool do not raise it.
`--fields` names the fields of the weights that are tuned, all without it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from cartulary.bots.base import think_once
from cartulary.bots.caylus import styles
from cartulary.bots.caylus.weights import MEDIUM
from cartulary.league.matches import Played
from cartulary.league.players import STYLE
from cartulary.league.statistics import find_interval
from cartulary.league.tuning import Plan, Step, list_fields, play_pool, tune

SECONDS = 0.0
"""Without `--seconds` there is no limit of time but that of the steps."""

OPTIONS = {
    "game": "caylus",
    "steps": 100,
    "deals": 10,
    "seed": "tune",
    "fields": "",
    "out": "out/tune.ndjson",
}


def _plan_caylus() -> Plan:
    pool = [STYLE + name for name in styles.POOL]
    return Plan(
        "caylus",
        MEDIUM,
        lambda weights: think_once(styles.Style(weights)),
        ["medium", *pool],
        list_fields(MEDIUM),
    )


PLANS: Mapping[str, tuple[Callable[[], Plan], list[str]]] = {
    "caylus": (_plan_caylus, [STYLE + name for name in styles.ASIDE]),
}
"""By game: what is tuned, and the players kept aside."""


def main(
    seconds: float, game: str, steps: int, deals: int, seed: str, fields: str, out: str
) -> dict[str, Any]:
    if game not in PLANS:
        raise SystemExit(f"{game} has no weights to tune; {', '.join(PLANS)} has")
    make, aside = PLANS[game]
    plan = make()
    if fields:
        plan = plan._replace(fields=fields.split(","))
    if unknown := sorted(set(plan.fields) - set(list_fields(plan.weights))):
        raise SystemExit(f"no field {', '.join(unknown)}; {', '.join(list_fields(plan.weights))}")
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    ends = time.monotonic() + (seconds or inf)
    last = tune(plan, steps, seed, Path(out), _show, lambda: time.monotonic() >= ends)
    tuned = play_pool(plan, last.factors, aside, f"{seed}/aside", range(deals))
    today = play_pool(plan, {}, aside, f"{seed}/aside", range(deals))
    found = {"tuned": sum_up(tuned), "today": sum_up(today)}
    ratio = found["tuned"]["won"] / max(found["today"]["won"], 1e-9)
    return {"factors": dict(last.factors), **found, "ratio": ratio}


def sum_up(games: list[Played]) -> dict[str, float]:
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


def _show(step: Step) -> None:
    print(f"step {step.number}: {step.up:.3f} up, {step.down:.3f} down", file=sys.stderr)
