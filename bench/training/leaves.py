"""A search of Caylus with the learned leaf against the same search with another leaf.

`--tables` names a module of tables that `bench train` wrote, and `--against` another one; without
`--against` the other leaf is the outlook of `medium`. All options take turns. With two seats a deal
is a pair of games with swapped seats; with more seats the first search sits on each seat in turn,
the second on all others. `--pairs` times two games are played with each number of `--seats`, or a
few more so that all options have as many. `--level expert` searches a tree.

`--out` has the games. A run that was killed goes on with them, and more pairs may be asked for.
`ratio` is the mean over the numbers of seats of the share of wins over the even share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.training._matches import LEVELS, LeafEntrant, play_matches
from bench.training._tables import read_tables


def main(
    seconds: float = 0.0,
    pairs: int = 10,
    level: str = "hard",
    seats: str = "2,3,4,5",
    seed: int = 1,
    tables: str = "out/train/learned.py",
    against: str = "",
    jobs: int = 1,
    out: str = "out/leaves",
) -> dict[str, Any]:
    del seconds  # the number of pairs says how long it takes
    if level not in LEVELS:
        raise SystemExit(f"{level} has no leaf; {', '.join(LEVELS)} have one")
    first = LeafEntrant(level, read_tables(Path(tables)))
    second = LeafEntrant(level, read_tables(Path(against)) if against else None)
    sizes = [int(one) for one in seats.split(",")]
    results = play_matches(first, second, pairs, seed, Path(out), jobs, sizes)
    shares = [one.score.share * one.score.match.seats for one in results]
    found = {f"{one.score.match.seats}_seats": one.score.to_json() for one in results}
    return {**found, "ratio": sum(shares) / len(shares)}
