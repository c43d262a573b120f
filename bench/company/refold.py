"""The ratings of a large site folded again from nothing, as `cartulary ratings --replay` does it.

The site is that of `python -m bench profiles`, with the same arguments. `fold` is the fold of all
noted results from nothing, compared with what is stored, game by game: `seconds`, `cpu_s` of this
process, `us_each` for a game. `find` is the other half of a replay: the results of `--read` games
found again in their streams, `us_each` of the processor for a game. `ratio` is 5 minutes ÷ what the
fold would take for a million games at this speed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from bench.company._world import WorldPlan, find_world, open_world
from cartulary.cli.shared.progress import progress
from cartulary.events.upkeep import replaying

LIMIT_S = 300.0
MILLION = 1_000_000


def main(
    seconds: float = 0.0,
    games: int = 10_000,
    players: int = 1_000,
    read: int = 2_000,
    directory: str = "",
) -> dict[str, Any]:
    """Fold all games, and find the results of some in their streams."""
    del seconds  # the number of games says how long it takes
    plan = WorldPlan(games, players)
    with tempfile.TemporaryDirectory() as folder:
        world = find_world(Path(directory or f"{folder}/data"), plan)
        with open_world(world) as (store, _), progress("folding") as show:
            store.ratings.fold_all(progress=show)  # what another bench has left
            total = sum(
                store.rating_reader.count_results(bucket)
                for bucket in store.rating_reader.list_buckets()
            )
            fold = measure(lambda: replaying.compare_ratings(store, show), total)
            find = measure(
                lambda: islice(replaying.find_results(store, show), read), min(read, total)
            )
    if fold["found"]:
        raise RuntimeError(f"{fold['found']} ratings are not those of the fold")
    ratio = LIMIT_S / (fold["us_each"] * MILLION / 1e6)
    return {"results": total, "fold": fold, "find": find, "ratio": ratio}


def measure(work: Callable[[], Iterable[object]], number: int) -> dict[str, float]:
    """Do something to its end; return its seconds, and the time for each of `number` things."""
    began, cpu = time.perf_counter(), time.process_time()
    found = sum(1 for _ in work())
    taken, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "found": found,
        "seconds": taken,
        "cpu_s": cpu,
        "us_each": 1e6 * taken / number,
        "cpu_us_each": 1e6 * cpu / number,
    }
