"""Makes the tables of the learned leaf of Caylus again, from a seed.

Each of `--steps` plays `--games` games of two to five seats with all options (`MIX` in
`_games.py`); one decision in `--explore` is an exploring move. In the first step every seat is
greedy; in each further step every seat searches `--iterations` moves with the tables of the step
before, which takes much longer: `--games 1500,300` are 1500 games in the first step and 300 in each
further one. A ridge on the features of the positions between the rounds fits the tables to the
final margins of the games of all steps so far: those of the search alone are too few, and say too
little of how others play. One game of a step in five is kept aside: R² there says how well the leaf
foretells margins, next to the outlook of `medium`. Then `hard` with the new tables meets `hard`
with the tables before and `hard` with the outlook, `--matches` times two games or a few more for
each number of seats, and the league table so far is printed. The steps end early when the new
tables do not win more than their share against those before: then these stay.

`--out` has the games of each step, its tables (`step-N.py`), and the last tables that won as
`learned.py`. A run that was killed goes on with the games that are there. `--write` also puts the
tables where the bots find them. The same seed and numbers give the same tables on every machine,
whatever `--jobs` is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.training._fitting import fit
from bench.training._games import TrainingGame, TrainingTask, play_step
from bench.training._judging import Foretold, judge_leaf
from bench.training._matches import LeafEntrant, MatchResult, play_matches
from bench.training._sums import CellSums, list_cells
from bench.training._tables import STORED, write_tables
from cartulary.bots.caylus.leaf import Tables
from cartulary.league.ratings import rate
from cartulary.league.tables import (
    MATCH_HEAD,
    RATING_HEAD,
    list_ratings,
    list_scores,
    write_text,
)

AllSums = Mapping[tuple[int, str], CellSums]
"""The sums of the games by the key of their tables."""


class TrainingPlan(NamedTuple):
    """What a run depends on; the text of its command follows from it."""

    seed: int
    steps: int
    games: str
    iterations: int
    explore: int
    matches: int

    @property
    def command(self) -> str:
        """Return the command that makes the same tables."""
        numbers = " ".join(f"--{name} {value}" for name, value in self._asdict().items())
        return f"python -m bench train caylus {numbers}"

    def count_games(self, step: int) -> int:
        """Return the games of a step: the last number is that of all further steps as well."""
        numbers = [int(one) for one in self.games.split(",")]
        return numbers[min(step, len(numbers)) - 1]

    def describe_games(self) -> dict[str, int | str]:
        """Return what the games of each step depend on."""
        return {name: getattr(self, name) for name in ("seed", "games", "iterations", "explore")}


def main(
    game: str,
    seconds: float = 0.0,
    seed: int = 1,
    steps: int = 3,
    games: str = "600",
    iterations: int = 4,
    explore: int = 12,
    matches: int = 20,
    jobs: int = 1,
    out: str = "out/train",
    write: bool = False,
) -> dict[str, Any]:
    del seconds  # the number of games says how long it takes
    if game != "caylus":
        raise SystemExit(f"{game} has no learned leaf; caylus has one")
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", games):
        raise SystemExit(f"--games takes 600 or 1500,300 and not {games}")
    plan = TrainingPlan(seed, steps, games, iterations, explore, matches)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _check(plan, folder)
    tables, found = _improve(plan, folder, jobs)
    text = write_tables(tables, plan.command)
    (folder / "learned.py").write_text(text, encoding="utf-8")
    if write:
        STORED.write_text(text, encoding="utf-8")
    return found


def _check(plan: TrainingPlan, folder: Path) -> None:
    """Refuse a directory whose games are those of another run: its file `plan.json` says so."""
    file, mine = folder / "plan.json", plan.describe_games()
    if file.exists() and (other := json.loads(file.read_text("utf-8"))) != mine:
        raise SystemExit(f"{folder} has games of another run: {other}")
    file.write_text(json.dumps(mine) + "\n", "utf-8")


def _improve(plan: TrainingPlan, folder: Path, jobs: int) -> tuple[Tables, dict[str, Any]]:
    """Return the tables of the last step that won, and what each step foretells."""
    best, sums = LeafEntrant(), begin_sums()
    results, found = list[MatchResult](), dict[str, Any]()
    for step in range(1, plan.steps + 1):
        aside = play_games(plan, step, best.tables, sums, folder, jobs)
        tables = fit(sums)
        foretold = judge_leaf(aside, tables)
        found[f"step_{step}"] = describe(foretold)
        entrant = LeafEntrant(tables=tables)
        (folder / f"step-{step}.py").write_text(write_tables(tables, plan.command), "utf-8")
        met = _play(plan, entrant, best, folder, jobs)
        results += met
        if best.tables is not None:
            results += _play(plan, entrant, LeafEntrant(), folder, jobs)
        _show(step, entrant, results)
        if best.tables is not None and met and not wins(met):
            break
        best = entrant
    assert best.tables is not None
    return best.tables, found


def _play(
    plan: TrainingPlan, first: LeafEntrant, second: LeafEntrant, folder: Path, jobs: int
) -> list[MatchResult]:
    if not plan.matches:
        return []
    return play_matches(first, second, plan.matches, plan.seed, folder / "matches", jobs)


def wins(results: Sequence[MatchResult]) -> bool:
    """Return whether the first entrant wins more than its even share over all matches."""
    shares = [one.score.share * one.score.match.seats for one in results]
    return sum(shares) > len(shares)


def _show(step: int, entrant: LeafEntrant, results: Sequence[MatchResult]) -> None:
    """Print the league table so far."""
    if results:
        scores = [one.score for one in results]
        ratings = rate([outcome for one in results for outcome in one.outcomes])
        print(f"step {step}: {entrant.name}", file=sys.stderr)
        print(write_text(RATING_HEAD, list_ratings(ratings, scores)), file=sys.stderr)
        print(write_text(MATCH_HEAD, list_scores(scores)), file=sys.stderr, flush=True)


def describe(foretold: Sequence[Foretold]) -> dict[str, dict[str, float]]:
    """Return R² by rounds as the bench prints it."""
    return {
        f"from_round_{one.first}": {
            "rows": one.rows,
            "outlook": one.outlook,
            "learned": one.learned,
        }
        for one in foretold
    }


def play_games(
    plan: TrainingPlan,
    step: int,
    before: Tables | None,
    sums: AllSums,
    folder: Path,
    jobs: int,
) -> list[TrainingGame]:
    """Add the games of a step to the sums; return those that are kept aside."""
    tasks = [
        TrainingTask(plan.seed, step, number, before, plan.iterations, plan.explore)
        for number in range(plan.count_games(step))
    ]
    return add_up(play_step(tasks, folder / f"games-{step}.ndjson", jobs), sums)


def begin_sums() -> AllSums:
    """Return the sums of no games."""
    return {key: CellSums() for key in list_cells()}


def add_up(games: Iterable[TrainingGame], sums: AllSums) -> list[TrainingGame]:
    """Add games to the sums of their tables; return those that are kept aside, in order."""
    aside = list[TrainingGame]()
    for game in games:
        if game.is_aside:
            aside.append(game)
        else:
            sums[game.key].add(game)
    return sorted(aside)
