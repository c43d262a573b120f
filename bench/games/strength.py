"""The rows of the table of strength: who plays whom, how much is asked for, how much was measured.

Each row plays deals on its cells (seats, options) in turn, with the same draws for both players and
swapped seats; a run goes on with the games in `--out`. A row ends when its games are played, or
earlier by a sequential test (H0: the share that is asked for at least, H1: the aim, 5 % errors
each way), unless `--full`. `--row NAME[,NAME…]` plays some rows alone, `--jobs` uses processes,
`--games` plays fewer games of each row, `--dry` plays none and reports what is there.

`ratio` is the smallest of the measured means over what is asked for at least. In `--out` are the
games, and of all rows a Markdown table and `strength.json`. `--write` also puts the table into
`docs/bots.md` and the other file into `docs/strength/`. Ratings are those of `bench levels`.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from bench.games._marked import write_between
from cartulary.cli.shared.progress import progress
from cartulary.games import OFFERS
from cartulary.league.matches import ALONE, LeagueMatch
from cartulary.league.players import list_aside, list_styles
from cartulary.league.records import GAMES, Records, open_records
from cartulary.league.running import play_missing
from cartulary.league.statistics import Hypotheses, Mean, average_cells, decide
from cartulary.league.tables import Score, add_up, write_markdown

DOCS = Path(__file__).parents[2] / "docs"
BEGIN, END = "<!-- bench strength -->", "<!-- end of bench strength -->"
"""What stands in the page about bots before and after the table."""


class StrengthRow(NamedTuple):
    """A row of the table.

    `least` and `aim` are shares of wins, or multiples of the even share when `times_even`. `games`
    are all games of the row, over all its matches. `most` is the upper bound of a row that is to
    lie between two bounds. `limit` is the CPU time, in ms, of a turn or a decision (`unit`).
    """

    what: str
    matches: list[LeagueMatch]
    least: float
    aim: float
    games: int = 400
    times_even: bool = False
    most: float = 0.0
    limit: int = 50
    unit: str = "turn"

    def factor(self, match: LeagueMatch) -> float:
        """Return what a share of wins of a match is multiplied with."""
        return float(match.seats) if self.times_even else 1.0

    def deals(self, games: int) -> int:
        """Return how many deals of each match make so many games of the row, or a few more."""
        each = sum(len(match.list_seatings()) for match in self.matches)
        return ceil((games or self.games) / each)


CAYLUS_OPTIONS = tuple(
    tuple(sorted(dict(pairs).items()))
    for pairs in product(
        *(
            [(option.name, value) for value in option.values]
            for option in OFFERS["caylus"].rules.options
            if option.name in ("favours", "edition")
        )
    )
)


def _list_style_matches() -> list[LeagueMatch]:
    """Return `hard` against each style kept aside, with 2 to 5 seats and all options."""
    if not list_styles("caylus"):
        return []
    matches = [
        LeagueMatch("caylus", "hard", style, seats, options, ALONE)
        for style in list_aside("caylus")
        for seats in range(2, 6)
        for options in CAYLUS_OPTIONS
    ]
    random.Random(16).shuffle(matches)  # so that the first games say something about all cells
    return matches


_ROWS = {
    "carcassonne-hard": StrengthRow(
        "Carcassonne, 2 seats: `hard` against `medium`",
        [LeagueMatch("carcassonne", "hard", "medium")],
        *(0.85, 0.90),
        limit=150,
    ),
    "carcassonne-seats": StrengthRow(
        "Carcassonne, 3–5 seats: `hard` first, all others `medium`, ÷ its even share",
        [LeagueMatch("carcassonne", "hard", "medium", seats, shape=ALONE) for seats in (3, 4, 5)],
        *(2.0, 2.5),
        times_even=True,
        limit=150,
    ),
    "carcassonne-expert": StrengthRow(
        "Carcassonne, 2 seats: `expert` against `medium`",
        [LeagueMatch("carcassonne", "expert", "medium")],
        *(0.90, 0.95),
        100,
        limit=1000,
    ),
    "carcassonne-expert-hard": StrengthRow(
        "Carcassonne, 2 seats: `expert` against `hard`",
        [LeagueMatch("carcassonne", "expert", "hard")],
        *(0.58, 0.65),
        200,
        limit=1000,
    ),
    "carcassonne-time": StrengthRow(
        "Carcassonne, 2 seats: `expert` against `expert` with a quarter of its samples",
        [LeagueMatch("carcassonne", "expert", "expert@150")],
        *(0.50, 0.55),
        200,
        limit=1000,
    ),
    "carcassonne-easy": StrengthRow(
        "Carcassonne, 2 seats: `easy` against `medium`, 10–25 %",
        [LeagueMatch("carcassonne", "easy", "medium")],
        *(0.10, 0.25),
        most=0.25,
    ),
    "caylus-hard": StrengthRow(
        "Caylus, 2 seats: `hard` against `medium`",
        [LeagueMatch("caylus", "hard", "medium")],
        *(0.90, 0.97),
        limit=60,
        unit="decision",
    ),
    "caylus-three": StrengthRow(
        "Caylus, 3 seats: `hard` first against two `medium`",
        [LeagueMatch("caylus", "hard", "medium", 3, shape=ALONE)],
        *(0.80, 0.90),
        limit=60,
        unit="decision",
    ),
    "caylus-styles": StrengthRow(
        "Caylus, 2–5 seats, all options: `hard` against three styles kept aside",
        _list_style_matches(),
        *(0.80, 0.90),
        limit=60,
        unit="decision",
    ),
    "caylus-expert": StrengthRow(
        "Caylus, 2 seats: `expert` against `hard`",
        [LeagueMatch("caylus", "expert", "hard")],
        *(0.58, 0.65),
        100,
        limit=1000,
        unit="decision",
    ),
    "caylus-easy": StrengthRow(
        "Caylus, 2 seats: `easy` against `medium`, 10–25 %",
        [LeagueMatch("caylus", "easy", "medium")],
        *(0.10, 0.25),
        most=0.25,
    ),
}


def list_rows() -> dict[str, StrengthRow]:
    """Return the rows by name, as far as the games have the players of the row."""
    return {name: row for name, row in _ROWS.items() if row.matches and _is_on_offer(row)}


def _is_on_offer(row: StrengthRow) -> bool:
    return all(match.first in OFFERS[match.game].bots for match in row.matches)


class Measured(NamedTuple):
    """What the games of a row say."""

    mean: Mean
    games: int
    deals: int
    ms: float
    longest: float
    margin: float
    verdict: str


def measure(row: StrengthRow, scores: list[Score]) -> Measured:
    """Return the mean of the cells, each with the same weight; cells without games are left out."""
    played = [score for score in scores if score.games]
    mean = average_cells((s.won, s.games, row.factor(s.match)) for s in played)
    games = sum(score.games for score in played)
    unit = 0 if row.unit == "turn" else 1
    times = [(s.ms_per_turn, s.ms_per_decision)[unit][0] for s in played]
    return Measured(
        mean,
        games,
        sum(score.deals for score in played),
        sum(times) / len(times),
        max(score.longest[0] for score in played),
        sum(score.margin for score in played) / len(played),
        "" if row.most else decide(weigh(row, played)),
    )


def weigh(row: StrengthRow, scores: list[Score]) -> float:
    """Return the logarithm of the ratio of likelihoods of the aim and of the least."""
    return sum(
        Hypotheses(row.least / row.factor(s.match), row.aim / row.factor(s.match)).weigh(
            s.won, s.games
        )
        for s in scores
    )


def main(
    seconds: float = 0.0,
    row: str = "",
    out: str = "out/strength",
    seed: str = "16",
    jobs: int = 1,
    games: int = 0,
    full: bool = False,
    dry: bool = False,
    write: bool = False,
) -> dict[str, Any]:
    rows, folder = list_rows(), Path(out)
    chosen = [name for name in row.split(",") if name]
    if unknown := [name for name in chosen if name not in rows]:
        raise SystemExit(f"no row {', '.join(unknown)}; there are {', '.join(rows)}")
    ends = time.monotonic() + seconds if seconds else None
    for name in [] if dry else chosen or rows:
        play_row(name, rows[name], folder, seed, jobs, games, full, ends)
    summary = report(rows, folder, seed)
    if write:
        write_docs(folder, DOCS)
    return summary


def write_docs(folder: Path, docs: Path) -> None:
    """Put the table into the page about bots, and the other file into a folder next to it."""
    write_between(docs / "bots.md", BEGIN, END, (folder / "strength.md").read_text("utf-8"))
    (docs / "strength").mkdir(exist_ok=True)
    shutil.copy(folder / "strength.json", docs / "strength" / "strength.json")


def play_row(
    name: str,
    row: StrengthRow,
    folder: Path,
    seed: str,
    jobs: int,
    games: int,
    full: bool,
    ends: float | None,
) -> None:
    """Play what is missing of a row, until its games are played, it is decided, or time is up."""
    with open_records(folder / name) as records, progress(name) as show:
        records.check(seed, row.matches)

        def is_over() -> bool:
            if ends is not None and time.monotonic() >= ends:
                return True
            scores = add_up_row(row, records)
            is_fair = all(score.games for score in scores)
            return is_fair and not full and not row.most and bool(decide(weigh(row, scores)))

        deals = row.deals(games)
        play_missing(records, row.matches, seed, deals, jobs=jobs, show=show, is_decided=is_over)


def add_up_row(row: StrengthRow, records: Records) -> list[Score]:
    return [add_up(match, records.list_deals(match)) for match in row.matches]


def report(rows: dict[str, StrengthRow], folder: Path, seed: str) -> dict[str, Any]:
    """Write the table of all rows with games; return what they say."""
    scores = {
        name: add_up_row(row, Records(folder / name))
        for name, row in rows.items()
        if (folder / name / GAMES).exists()
    }
    scores = {name: found for name, found in scores.items() if any(s.games for s in found)}
    measured = {name: measure(rows[name], found) for name, found in scores.items()}
    lines = [describe_row(name, row, measured.get(name)) for name, row in rows.items()]
    table = write_markdown(HEAD, lines)
    (folder / "strength.md").write_text(f"Seed {seed}.\n\n{table}\n", encoding="utf-8")
    found_rows = {name: to_json(rows[name], one, scores[name]) for name, one in measured.items()}
    ratios = [found["ratio"] for name, found in found_rows.items() if not rows[name].most]
    summary = {
        "seed": seed,
        "rows": found_rows,
        "ratio": min(ratios, default=0.0),
    }
    (folder / "strength.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return summary


HEAD = ("row", "games", "mean", "95 %", "at least", "aim", "test", "CPU", "lead")


def describe_row(name: str, row: StrengthRow, found: Measured | None) -> tuple[str, ...]:
    """Return the line of a row in the table."""
    bounds = (
        _say(row, row.least),
        f"≤ {_say(row, row.most)}" if row.most else _say(row, row.aim),
    )
    what = f"`{name}`: {row.what}"
    if found is None:
        return (what, f"0 of {row.games}", "–", "–", *bounds, "not measured", "–", "–")
    mean = found.mean
    return (
        what,
        f"{found.games} of {row.games}" if found.games < row.games else str(found.games),
        _say(row, mean.value),
        f"{_say(row, mean.low)} to {_say(row, mean.high)}",
        *bounds,
        "–" if row.most else found.verdict or "open",
        f"{found.ms:.1f} ms a {row.unit}, ≤ {row.limit}",
        f"{found.margin:+.1f}",
    )


def _say(row: StrengthRow, value: float) -> str:
    return f"{value:.2f} ×" if row.times_even else f"{100 * value:.0f} %"


def to_json(row: StrengthRow, found: Measured, scores: list[Score]) -> dict[str, Any]:
    """Return a row with its cells; `ratio` is the mean over what is asked for at least."""
    return {
        "what": row.what,
        **found.mean._asdict(),
        "games": found.games,
        "of": row.games,
        "least": row.least,
        "aim": row.aim,
        "hypotheses": "H0: least, H1: aim, 5 % errors each way",
        "accepted": found.verdict or None,
        f"ms_per_{row.unit}": found.ms,
        "longest_ms": found.longest,
        "margin": found.margin,
        "ratio": found.mean.value / row.least,
        "cells": [score.to_json() for score in scores if score.games],
    }
