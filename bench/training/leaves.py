"""A search of Caylus with the learned leaf against the same search with another leaf.

`--tables` names a module of tables that `bench train` wrote, and `--against` another one; without
`--against` the other leaf is the outlook of `medium`. All options take turns. With two seats a deal
is a pair of games with swapped seats; with more seats the first search sits on each seat in turn,
the second on all others. `--pairs` times two games are played with each number of `--seats`, or a
few more so that all options have as many. `--level expert` searches a tree.

`--sprt 1.2,1.6` ends the games of a number of seats as soon as it is decided whether the first
search wins 1.2 times its even share of them (H0) or 1.6 times (H1): Wald's sequential test with 5 %
errors each way.

`--out` has the games. A run that was killed goes on with them, and more pairs may be asked for.
`ratio` is the mean over the numbers of seats of the share of wins over the even share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.training._matches import LEVELS, LeafEntrant, play_matches
from bench.training._tables import read_tables
from cartulary.league.statistics import Hypotheses


def main(
    seconds: float = 0.0,
    pairs: int = 10,
    level: str = "hard",
    seats: str = "2,3,4,5",
    seed: int = 1,
    tables: str = "out/train/learned.py",
    against: str = "",
    sprt: str = "",
    jobs: int = 1,
    out: str = "out/leaves",
) -> dict[str, Any]:
    del seconds  # the number of pairs says how long it takes
    if level not in LEVELS:
        raise SystemExit(f"{level} has no leaf; {', '.join(LEVELS)} have one")
    first = LeafEntrant(level, read_tables(Path(tables)))
    second = LeafEntrant(level, read_tables(Path(against)) if against else None)
    sizes = [int(one) for one in seats.split(",")]
    bounds = read_bounds(sprt, min(sizes)) if sprt else None
    results = play_matches(first, second, pairs, seed, Path(out), jobs, sizes, bounds)
    shares = [one.score.share * one.score.match.seats for one in results]
    found = {f"{one.score.match.seats}_seats": one.score.to_json() for one in results}
    return {**found, "ratio": sum(shares) / len(shares)}


def read_bounds(text: str, seats: int) -> Hypotheses:
    """Return two multiples of the even share, the lower one first, that a search can win."""
    try:
        lower, upper = (float(part) for part in text.split(","))
    except ValueError as error:
        raise SystemExit(f"--sprt takes two numbers as 1.2,1.6 and not {text}") from error
    if not 0 < lower < upper < seats:
        raise SystemExit(f"--sprt takes two numbers between 0 and {seats}, the lower one first")
    return Hypotheses(lower, upper)
