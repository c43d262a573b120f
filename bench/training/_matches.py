"""Matches between searches that differ in their leaf alone, with all options of the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import NamedTuple

from cartulary.bots import Budget, Think, Thought
from cartulary.bots.caylus.leaf import Leaf, LearnedLeaf, Tables, look_out
from cartulary.bots.caylus.search import think
from cartulary.bots.caylus.tree import think_deeply
from cartulary.engine.caylus.game import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from cartulary.league.matches import ALONE, LeagueMatch, PlayedMatch, Task, list_tasks, play
from cartulary.league.players import LeaguePlayer
from cartulary.league.pool import run_each
from cartulary.league.ratings import RatedResult
from cartulary.league.records import Records, open_records
from cartulary.league.statistics import Hypotheses, decide
from cartulary.league.tables import Score, add_up, list_outcomes

LEVELS = {"hard": 4, "expert": 200}
"""The searches, and the iterations of their budgets."""

OPTIONS = tuple(
    tuple(sorted(pairs))
    for pairs in product(
        *([(option.name, value) for value in option.values] for option in CAYLUS.options)
    )
)
"""All combinations of the options, as a match has them."""


class LeafEntrant(NamedTuple):
    """A search in a match: its level, and its tables; without tables it looks out."""

    level: str = "hard"
    tables: Tables | None = None

    @property
    def name(self) -> str:
        """Return a name that tells other tables apart: records keep games by the names."""
        if self.tables is None:
            return f"{self.level} outlook"
        text = repr(sorted(self.tables.items()))
        return f"{self.level} {sha256(text.encode()).hexdigest()[:8]}"


class MatchResult(NamedTuple):
    """The result of a match, and its games as the ratings take them."""

    score: Score
    outcomes: list[RatedResult]


class MatchTask(NamedTuple):
    """A game to play, and the entrants."""

    task: Task
    entrants: tuple[LeafEntrant, LeafEntrant]


def play_matches(
    first: LeafEntrant,
    second: LeafEntrant,
    pairs: int,
    seed: int,
    folder: Path,
    jobs: int = 1,
    seats: Iterable[int] = (2, 3, 4, 5),
    bounds: Hypotheses | None = None,
) -> list[MatchResult]:
    """Return the result of a match for each number of seats; `folder` keeps its games.

    A deal is played with the first entrant on each seat in turn, the second on all other seats;
    with two seats that is a pair of games with swapped seats. Larger tables play fewer deals, so
    that each has `pairs` times two games, or a few more so that all options have as many. Raises
    `OtherLeague` when `folder` has games of another seed.
    """
    with open_records(folder) as records:
        records.check(str(seed), [])
        return [
            _play(
                _list_matches(first, second, size),
                *((first, second), pairs, seed, records, jobs),
                partial(is_decided, bounds),
            )
            for size in seats
        ]


def is_decided(bounds: Hypotheses | None, score: Score) -> bool:
    """Return whether a score decides between two multiples of its even share; never without any."""
    if bounds is None:
        return False
    seats = score.match.seats
    shares = Hypotheses(bounds.lower / seats, bounds.upper / seats)
    return bool(decide(shares.weigh(score.won, score.games)))


def _list_matches(first: LeafEntrant, second: LeafEntrant, seats: int) -> list[LeagueMatch]:
    return [
        LeagueMatch(CAYLUS.name, first.name, second.name, seats, options, ALONE)
        for options in OPTIONS
    ]


def _play(
    matches: Sequence[LeagueMatch],
    entrants: tuple[LeafEntrant, LeafEntrant],
    pairs: int,
    seed: int,
    records: Records,
    jobs: int,
    is_over: Callable[[Score], bool],
) -> MatchResult:
    """Play what is missing of one number of seats, all options in turn; return the result."""
    seats = matches[0].seats
    deals = -(-2 * pairs // (seats * len(matches)))
    tasks = [
        MatchTask(task, entrants)
        for deal in range(deals)
        for match in matches
        for task in list_tasks(match, f"{seed}/leaves", [deal])
        if not records.has(match.name, deal, task.number)
    ]

    def find_result() -> MatchResult:
        played = [deal for match in matches for deal in records.list_deals(match)[:deals]]
        every = matches[0]._replace(options=())
        return MatchResult(add_up(every, played), list_outcomes(every, played))

    result = find_result()
    if is_over(result.score):
        return result
    for game in run_each(play_match, tasks, jobs):
        records.add(game)
        result = find_result()
        if is_over(result.score):
            break
    return result


def play_match(task: MatchTask) -> PlayedMatch:
    """Play one game."""
    players = [
        LeaguePlayer(one.name, _search(one), Budget(LEVELS[one.level]), 1) for one in task.entrants
    ]
    return play(task.task, players)


def _search(entrant: LeafEntrant) -> Think:
    leaf: Leaf = look_out if entrant.tables is None else LearnedLeaf(entrant.tables)

    def search(state: CaylusState, rng: random.Random, budget: Budget) -> Thought:
        if entrant.level == "expert":
            return think_deeply(state, rng, budget, leaf)
        return think(state, rng, budget, leaf=leaf)

    return search
