"""How much of the margins of Carcassonne the luck of the draws explains, as the analysis counts it.

Games of `--players`, who sit by lot; each draw is rated as the analysis rates it. A margin is how
far a score is above the mean of its table, and its luck likewise. `left` is the deviation of the
margins less their luck over the deviation of the margins, with an interval of 95 % (`low`, `high`:
games drawn again with replacement); `asked` is 0.8. `correlation` is that of margin and luck,
`factor` what luck would have to be multiplied with to explain most, `best` what would be left then.
`parts` has the factors that explain most, for draws in each third of the bag, the first third of
the game first: from them follows `KEPT` in `bots/analysis/tile_luck.py`.

The games are in `--out`, a line for each, so a run goes on where it was.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.bots.analysis import find_analyst
from cartulary.bots.analysis.base import find_scale
from cartulary.bots.analysis.tile_luck import KEPT
from cartulary.bots.carcassonne.chances import ALL_TILES
from cartulary.bots.thought import Budget
from cartulary.engine.carcassonne.position import PLACE_TILE
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.chance import RandomSource
from cartulary.games import OFFERS
from cartulary.league.pool import run_each

GAME = "carcassonne"
FILE = "luck.ndjson"
PARTS = 3
ASKED = 0.8
AGAIN = 1000
"""So often the games are drawn again for the interval."""


class DrawnGame(NamedTuple):
    """A game to play: the seats, its number, the players."""

    seats: int
    number: int
    players: tuple[str, ...]


class Observed(NamedTuple):
    """A margin, its luck as the analysis counts it, and its luck in each part before `KEPT`."""

    margin: float
    luck: float
    parts: Sequence[float]


def main(
    seconds: float = 0.0,
    games: int = 100,
    seats: int = 2,
    players: str = "medium",
    seed: int = 7000,
    jobs: int = 1,
    out: str = "out/luck",
    dry: bool = False,
) -> dict[str, Any]:
    ends = time.monotonic() + (seconds or inf)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    levels = tuple(players.split(","))
    tasks = [DrawnGame(seats, number, levels) for number in range(seed, seed + games)]
    file = folder / FILE
    found = _read(file, tasks)
    if not dry:
        missing = [task for task in tasks if task not in found]
        with file.open("a", encoding="utf-8") as lines:
            for task, observed in run_each(_play_task, missing, jobs):
                lines.write(json.dumps({"task": task, "observed": observed}) + "\n")
                lines.flush()
                found[task] = observed
                if time.monotonic() >= ends:
                    break
    return sum_up([found[task] for task in tasks if task in found])


def _read(file: Path, tasks: Sequence[DrawnGame]) -> dict[DrawnGame, list[Observed]]:
    found, wanted = dict[DrawnGame, list[Observed]](), set(tasks)
    for line in file.read_text("utf-8").splitlines() if file.exists() else []:
        one = json.loads(line)
        seats, number, players = one["task"]
        task = DrawnGame(seats, number, tuple(players))
        if task in wanted:
            found[task] = [Observed(*values) for values in one["observed"]]
    return found


def _play_task(task: DrawnGame) -> tuple[DrawnGame, list[Observed]]:
    return task, play(task)


def play(task: DrawnGame) -> list[Observed]:
    """Play a game and rate its draws; return what each seat but the last has got.

    The margins of a table add up to 0, so the last one says nothing new.
    """
    seats, number, players = task
    offer, rng = OFFERS[GAME], random.Random(f"{GAME}/luck/{seats}/{number}")
    analyst, judge = find_analyst(offer), random.Random(number)
    bots = [offer.bots[rng.choice(players)] for _ in range(seats)]
    rules, source = offer.rules, RandomSource(rng)
    options = rules.check(seats, {})
    state = rules.new(seats, options, rules.draw_setup(seats, options, source))
    state.settle(source)
    kept, parts = [0.0] * seats, [[0.0] * PARTS for _ in range(seats)]
    while not state.over:
        assert isinstance(state, CarcassonneState)
        seat, left = state.seat, state.left
        if state.kind == PLACE_TILE:
            luck = analyst.rate_luck(state, judge)
            part = min(PARTS - 1, PARTS * (ALL_TILES - left) // ALL_TILES)
            kept[seat] += luck
            parts[seat][part] += luck / find_scale(KEPT, left)
        bot = bots[seat]
        for move in bot.think(state, rng, bot.budget_of(seats) or Budget(1)).moves:
            if not state.over and state.seat == seat and move in state.moves():
                state.play(move)
        state.settle(source)
    scores = [float(score) for score in state.final().scores]
    columns = zip(*map(_centre, zip(*parts, strict=True)), strict=True)
    every = zip(_centre(scores), _centre(kept), columns, strict=True)
    return [Observed(margin, luck, by_part) for margin, luck, by_part in every][:-1]


def _centre(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def sum_up(games: Sequence[Sequence[Observed]]) -> dict[str, Any]:
    """Return what the games say; `ValueError` without games."""
    if not games:
        raise ValueError("there are no games")
    every = [one for game in games for one in game]
    squares = sum(one.margin**2 for one in every)
    lucks = sum(one.luck**2 for one in every)
    both = sum(one.margin * one.luck for one in every)
    low, high = find_bounds(games)
    correlation = both / sqrt(squares * lucks)
    return {
        "games": len(games),
        "deviation": sqrt(squares / len(every)),
        "deviation of luck": sqrt(lucks / len(every)),
        "correlation": correlation,
        "left": find_left(every),
        "low": low,
        "high": high,
        "asked": ASKED,
        "factor": both / lucks,
        "best": sqrt(1 - correlation**2),
        "parts": ", ".join(f"{factor:.2f}" for factor in fit_parts(every)),
    }


def find_left(every: Sequence[Observed]) -> float:
    """Return the deviation of the margins less their luck, over that of the margins."""
    squares = sum(one.margin**2 for one in every)
    return sqrt(sum((one.margin - one.luck) ** 2 for one in every) / squares)


def find_bounds(games: Sequence[Sequence[Observed]]) -> tuple[float, float]:
    """Return the interval of 95 % of what is left: the games are drawn again and again."""
    rng, found = random.Random(0), []
    for _ in range(AGAIN):
        drawn = rng.choices(games, k=len(games))
        found.append(find_left([one for game in drawn for one in game]))
    found.sort()
    return found[AGAIN // 40], found[-1 - AGAIN // 40]


def fit_parts(every: Sequence[Observed]) -> list[float]:
    """Return the factors of the parts under which the margins less their luck vary least."""
    size = range(len(every[0].parts))
    rows = [
        [
            *(sum(one.parts[row] * one.parts[column] for one in every) for column in size),
            sum(one.parts[row] * one.margin for one in every),
        ]
        for row in size
    ]
    for row in size:  # elimination; the sums of squares on the diagonal are the largest
        rows[row] = [value / (rows[row][row] or 1.0) for value in rows[row]]
        for other in size:
            if other != row:
                factor = rows[other][row]
                pairs = zip(rows[other], rows[row], strict=True)
                rows[other] = [value - factor * pivot for value, pivot in pairs]
    return [row[-1] for row in rows]
