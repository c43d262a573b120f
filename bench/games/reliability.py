"""Whether the shares of the win that the analysis foretells are won: a curve for each table size.

Games of `--players`, who sit by lot; of one in `--every` decisions a sample is played out, as the
analysis plays it, and each seat is given a share of the win. By tenths of these shares: how many
there are, their mean, and the share that these seats won, in %. `chance` is two standard errors of
the difference, in which all shares of one game count as one observation, because they share its
winner. `off` is the largest difference of a tenth, and `beyond` how far it is beyond chance.

The shares are in `--out`, a line for each game, so a run goes on where it was. `--games` is for
each game and table size, `--jobs` uses processes, `--dry` plays none and reports what is there, and
`--write` puts the table into `bench/RESULTS.md`.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from bench.games._marked import write_between
from bench.games.calibrate import TENTHS, estimate_game
from cartulary.bots.analysis import find_analyst
from cartulary.games import OFFERS
from cartulary.league.pool import run_each

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
BEGIN, END = "<!-- bench reliability -->", "<!-- end of bench reliability -->"
"""What stands in the page of results before and after the table."""

FILE = "shares.ndjson"

ASKED = 3.0
"""The most percentage points that a tenth may be off."""


class WatchedGame(NamedTuple):
    """A game to play: its name, the seats, its number, one in so many decisions, the players."""

    game: str
    seats: int
    number: int
    every: int
    players: tuple[str, ...]


class ForetoldShares(NamedTuple):
    """The shares that were foretold in a game, each with what the seat has won, 0 to 1."""

    game: str
    seats: int
    number: int
    pairs: Sequence[tuple[float, float]]


class Tenth(NamedTuple):
    """The shares of one tenth: how many, their mean, what was won, and what chance is good for."""

    shares: int
    foretold: float
    won: float
    chance: float

    @property
    def off(self) -> float:
        """Return the difference."""
        return abs(self.won - self.foretold)


def main(
    seconds: float = 0.0,
    games: int = 100,
    seats: str = "2,3,4,5",
    game: str = "",
    players: str = "easy,medium",
    every: int = 40,
    seed: int = 5000,
    jobs: int = 1,
    out: str = "out/reliability",
    dry: bool = False,
    write: bool = False,
) -> dict[str, Any]:
    ends = time.monotonic() + (seconds or inf)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [
        WatchedGame(name, size, number, every, tuple(players.split(",")))
        for number in range(seed, seed + games)
        for name in ([game] if game else OFFERS)
        for size in map(int, seats.split(","))
    ]
    found = read_shares(folder / FILE, tasks)
    if not dry:
        known = {one[:3] for one in found}
        missing = [task for task in tasks if task[:3] not in known]
        found += _play(missing, folder / FILE, jobs, ends)
    cells = compare_cells(found)
    if write:
        write_between(RESULTS, BEGIN, END, write_rows(cells) + "\n")
    return {name: describe_cell(tenths) for name, tenths in cells.items()}


def _play(tasks: Sequence[WatchedGame], file: Path, jobs: int, ends: float) -> list[ForetoldShares]:
    """Play games until the time ends; each is appended to the file when it is over."""
    played = []
    with file.open("a", encoding="utf-8") as lines:
        for task, shares in run_each(_watch_task, tasks, jobs):
            lines.write(json.dumps({"task": task, "pairs": shares.pairs}) + "\n")
            lines.flush()
            played.append(shares)
            if time.monotonic() >= ends:
                break
    return played


def _watch_task(task: WatchedGame) -> tuple[WatchedGame, ForetoldShares]:
    return task, watch(task)


def watch(task: WatchedGame) -> ForetoldShares:
    """Play a game and return its shares. A game that is over foretells nothing."""
    game, seats, number, every, players = task
    analyst = find_analyst(OFFERS[game])
    pairs = [
        (share, (seat in one.winners) / len(one.winners))
        for one in estimate_game(analyst, game, seats, number, every, players)
        if one.scale
        for seat, share in enumerate(one.find_shares())
    ]
    return ForetoldShares(game, seats, number, pairs)


def read_shares(file: Path, tasks: Sequence[WatchedGame]) -> list[ForetoldShares]:
    """Return the games of a file that are asked for; raises `SystemExit` for other settings."""
    if not file.exists():
        return []
    wanted, found = {task[:3]: task for task in tasks}, []
    for line in file.read_text("utf-8").splitlines():
        one = json.loads(line)
        game, seats, number, every, players = one["task"]
        task = wanted.get((game, seats, number))
        if task is None:
            continue
        if (every, tuple(players)) != task[3:]:
            raise SystemExit(f"{file} has games of {','.join(players)}, one in {every} decisions")
        found.append(
            ForetoldShares(game, seats, number, [(share, won) for share, won in one["pairs"]])
        )
    return found


def compare_cells(found: Iterable[ForetoldShares]) -> dict[str, dict[int, Tenth]]:
    """Return the tenths of each game and table size, and of each game at all tables."""
    cells = defaultdict[str, list[ForetoldShares]](list)
    for one in found:
        cells[f"{one.game} {one.seats}"].append(one)
        cells[f"{one.game} all"].append(one)
    return {name: dict(compare_tenths(cells[name])) for name in sorted(cells)}


def compare_tenths(games: Sequence[ForetoldShares]) -> Iterator[tuple[int, Tenth]]:
    """Yield each tenth that has any shares, by its number."""
    for number in range(TENTHS):
        sums = []
        for one in games:
            pairs = [pair for pair in one.pairs if _find_tenth(pair[0]) == number]
            if pairs:
                foretold, won = (sum(column) for column in zip(*pairs, strict=True))
                sums.append((len(pairs), foretold, won))
        if sums:
            count, foretold, won = (sum(column) for column in zip(*sums, strict=True))
            spread = sum((one[2] - one[1]) ** 2 for one in sums)
            yield number, Tenth(count, foretold / count, won / count, 2 * sqrt(spread) / count)


def _find_tenth(share: float) -> int:
    return min(TENTHS - 1, int(TENTHS * share))


def describe_cell(tenths: dict[int, Tenth]) -> dict[str, Any]:
    """Return the tenths in %, and the one that is furthest off."""
    worst = max(tenths.values(), key=lambda one: one.off)
    return {
        **{
            f"from_{10 * number}_%": f"{one.shares}: {_say(one)} ± {100 * one.chance:.0f}"
            for number, one in tenths.items()
        },
        "off": 100 * worst.off,
        "beyond": 100 * max(0.0, *(one.off - one.chance for one in tenths.values())),
    }


def write_rows(cells: dict[str, dict[int, Tenth]]) -> str:
    """Return the table in Markdown: a row for each game and table size."""
    lines = [
        "| game, seats | shares | foretold/won by tenths, in % | off at most (chance there) |",
        "|---|---|---|---|",
    ]
    for name, tenths in cells.items():
        worst = max(tenths.values(), key=lambda one: one.off)
        lines.append(
            f"| {name} | {sum(one.shares for one in tenths.values()):,} "
            f"| {', '.join(map(_say, tenths.values()))} "
            f"| {100 * worst.off:.1f} ({100 * worst.chance:.1f}) |"
        )
    return "\n".join(lines)


def _say(tenth: Tenth) -> str:
    return f"{100 * tenth.foretold:.0f}/{100 * tenth.won:.0f}"
