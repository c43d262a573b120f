"""Ratings next to pairwise Elo (K 40, from the 31st game on 20), on the same games.

`population`: `players` of stated strengths, normal around 1500 with a spread of 250 points. A fifth
grows evenly, by 300 points in all; a tenth leaves after half of the games, and their places are
taken by new players. A table has two to five players, drawn evenly; the order follows from the
strengths (Plackett and Luce; 400 points are ten times the chance to be first). Tables of two and
larger ones are rated apart, as in the service.

`bots`: Carcassonne by lot between `easy`, `medium` and `hard`, two or three seats; the strengths
are those that the league fits to all these games at once. `random` is not among them: it loses
every game, so the league has no strength for it, and no table with it is rated.

`log_loss`: of the order at a table, for each place, over the games of players who have played ten
games. `error`: root of the mean squared error of the strengths at the end, in points, of those
who play then. `calibration`: the largest difference between predicted and real shares of first
places, in percentage points, in ten bins with equally many predictions. `chance`: what is as large
in a bin by chance alone, once in twenty times. `within`: the share of players, in per cent, whose
strength lies within the deviation shown, and within twice that much.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log, sqrt
from operator import itemgetter
from statistics import mean
from typing import Any, NamedTuple

from cartulary.engine.core import Json
from cartulary.league.ratings import RatedResult as LeagueResult
from cartulary.league.ratings import rate
from cartulary.match import new_game
from cartulary.ratings.fold import move, predict_first
from cartulary.ratings.results import TABLES, Entrant, name_table
from cartulary.ratings.scale import AVERAGE, LEAGUE, LOGIT, START, Standing

UNIT = LOGIT / LEAGUE
"""Units of `mu` in a point of strength."""

SPREAD = 250.0
GROWTH = 300.0
SEATS = (2, 3, 4, 5)
SETTLED = 10
"""Players with fewer games count for no measure."""
BINS = 10
BOTS = ("easy", "medium", "hard")

Game = tuple[tuple[str, ...], tuple[int, ...]]
"""The players of a table, and their ranks."""


def main(
    seconds: float = 0.0, players: int = 200, games: int = 30_000, bots: int = 300, seed: int = 1
) -> dict[str, Any]:
    """Rate `games` of the population, and `bots` games of bots."""
    del seconds  # the numbers of games say how long it takes
    people = Population(random.Random(seed), players, games)
    found = {"population": _compare(people.play(), people.read_strength, people.is_here)}
    if bots:
        played = list(_play_bots(random.Random(seed), bots))
        found["bots"] = _compare(played, _fit_league(played), lambda _: True)
    return found


class Population:
    """Players whose strengths are known."""

    def __init__(self, rng: random.Random, players: int, games: int) -> None:
        self._rng, self._games, self._done = rng, games, 0
        self._first: dict[str, float] = {}
        self._grows: dict[str, bool] = {}
        self._here: list[str] = []
        for _ in range(players):
            self._join()

    def _join(self) -> None:
        name = f"player {len(self._first)}"
        self._first[name] = self._rng.gauss(AVERAGE, SPREAD)
        self._grows[name] = self._rng.random() < 0.2
        self._here.append(name)

    def read_strength(self, player: str) -> float:
        """Return the strength of a player now, in points."""
        grown = GROWTH * self._done / self._games if self._grows[player] else 0.0
        return self._first[player] + grown

    def is_here(self, player: str) -> bool:
        """Return whether a player has not left."""
        return player in self._here

    def play(self) -> Iterator[Game]:
        """Yield the games, one after the other."""
        for done in range(1, self._games + 1):
            self._done = done
            if 2 * self._done == self._games:
                for player in self._rng.sample(self._here, len(self._here) // 10):
                    self._here.remove(player)
                    self._join()
            seated = tuple(self._rng.sample(self._here, self._rng.choice(SEATS)))
            yield seated, self._rank(seated)

    def _rank(self, seated: Sequence[str]) -> tuple[int, ...]:
        left, order = list(seated), list[str]()
        while left:
            weights = [10 ** (self.read_strength(one) / 400) for one in left]
            order.append(left.pop(self._rng.choices(range(len(left)), weights)[0]))
        return tuple(order.index(one) + 1 for one in seated)


def _play_bots(rng: random.Random, games: int) -> Iterator[Game]:
    for _ in range(games):
        seated = tuple(rng.sample(BOTS, rng.choice((2, 3))))
        match = new_game("carcassonne", seats=len(seated), seed=rng.randrange(2**32))
        while not match.over:
            match.play_bot(seated[match.seat])
        scores = match.result.scores
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        yield seated, ranks


def _fit_league(played: Sequence[Game]) -> Callable[[str], float]:
    fitted = rate([LeagueResult(seated, _share(ranks)) for seated, ranks in played])
    return lambda player: fitted[player].value


def _share(ranks: Sequence[int]) -> tuple[float, ...]:
    firsts = ranks.count(1)
    return tuple(1 / firsts if rank == 1 else 0.0 for rank in ranks)


class GameRater(NamedTuple):
    """A way to rate: how it predicts first places among some players, and how a game moves it."""

    predict: Callable[[str, Sequence[str]], list[float]]
    follow: Callable[[str, Sequence[str], Sequence[int]], None]
    read: Callable[[str, str], Standing]


def make_fold() -> GameRater:
    """Return the ratings of the service; the first argument of each function is the table."""
    known: dict[str, dict[str, Standing]] = {table: {} for table in TABLES}

    def predict(table: str, seated: Sequence[str]) -> list[float]:
        return predict_first([Entrant(one) for one in seated], known[table])

    def follow(table: str, seated: Sequence[str], ranks: Sequence[int]) -> None:
        known[table].update(move([Entrant(one) for one in seated], ranks, known[table]))

    return GameRater(predict, follow, lambda table, player: known[table].get(player, START))


def make_elo() -> GameRater:
    """Return pairwise Elo: each two players of a table have a duel, with K divided among these."""
    points: dict[tuple[str, str], float] = {}
    played: dict[tuple[str, str], int] = {}

    def read(table: str, player: str) -> float:
        return points.get((table, player), float(AVERAGE))

    def predict(table: str, seated: Sequence[str]) -> list[float]:
        weights = [10 ** (read(table, one) / 400) for one in seated]
        return [weight / sum(weights) for weight in weights]

    def follow(table: str, seated: Sequence[str], ranks: Sequence[int]) -> None:
        before = [read(table, one) for one in seated]
        for at, player in enumerate(seated):
            count = played.get((table, player), 0)
            change = 0.0
            for other, rank in enumerate(ranks):
                if other == at:
                    continue
                won = 0.5 if rank == ranks[at] else float(ranks[at] < rank)
                change += won - 1 / (1 + 10 ** ((before[other] - before[at]) / 400))
            played[table, player] = count + 1
            step = (40 if count < 30 else 20) / (len(seated) - 1)
            points[table, player] = before[at] + step * change

    def show(table: str, player: str) -> Standing:
        mu = START.mu + (read(table, player) - AVERAGE) * UNIT
        return Standing(mu, 0.0, played.get((table, player), 0))

    return GameRater(predict, follow, show)


def _compare(
    games: Iterator[Game] | Sequence[Game],
    strength: Callable[[str], float],
    is_here: Callable[[str], bool],
) -> Json:
    raters = {"fold": make_fold(), "elo": make_elo()}
    losses: dict[str, list[float]] = {name: [] for name in raters}
    shares: dict[str, list[tuple[float, float]]] = {name: [] for name in raters}
    met: dict[tuple[str, str], int] = {}
    for seated, ranks in games:
        table = name_table(len(seated))
        counts = all(met.get((table, one), 0) >= SETTLED for one in seated)
        for name, rater in raters.items():
            if counts:
                losses[name].append(_find_loss(rater, table, seated, ranks))
                shares[name] += zip(rater.predict(table, seated), _share(ranks), strict=True)
            rater.follow(table, seated, ranks)
        for one in seated:
            met[table, one] = met.get((table, one), 0) + 1
    settled = [one for one, count in met.items() if count >= SETTLED and is_here(one[1])]
    found: Json = {
        name: {
            "log_loss": round(mean(losses[name]), 4),
            "error": round(_find_error(rater, settled, strength), 1),
            "calibration": round(100 * max(one.bias for one in find_bins(shares[name])), 2),
            "chance": round(100 * max(one.chance for one in find_bins(shares[name])), 2),
        }
        for name, rater in raters.items()
    }
    found["fold"]["within"] = _find_coverage(raters["fold"], settled, strength)
    return {"games": sum(met.values()), "counted": len(losses["fold"]), **found}


def _find_loss(rater: GameRater, table: str, seated: Sequence[str], ranks: Sequence[int]) -> float:
    """Return the loss of an order: who is first of all, then of the others, … for each place."""
    order = sorted(range(len(seated)), key=lambda seat: ranks[seat])
    loss = 0.0
    for at in range(len(order) - 1):
        left = [seated[seat] for seat in order[at:]]
        loss -= log(rater.predict(table, left)[0])
    return loss / (len(order) - 1)


def _find_error(
    rater: GameRater, settled: Sequence[tuple[str, str]], strength: Callable[[str], float]
) -> float:
    """Return the error of the strengths, after both have the same mean: a scale has no zero."""
    squares = []
    for table in TABLES:
        players = [player for where, player in settled if where == table]
        if not players:
            continue
        off = [_read_points(rater.read(table, one)) - strength(one) for one in players]
        squares += [(one - mean(off)) ** 2 for one in off]
    return sqrt(mean(squares))


def _read_points(standing: Standing) -> float:
    return AVERAGE + (standing.mu - START.mu) / UNIT


class PredictionBin(NamedTuple):
    """How far predicted and real share are apart in a bin, and how far chance alone puts them."""

    bias: float
    chance: float


def find_bins(shares: list[tuple[float, float]]) -> list[PredictionBin]:
    """Return the bins of some predictions and what came of each, the smallest predictions first."""
    shares = sorted(shares, key=itemgetter(0))  # not by what came of it
    cuts = [len(shares) * number // BINS for number in range(BINS + 1)]
    bins = (shares[begin:end] for begin, end in pairwise(cuts))
    return [_judge_bin(piece) for piece in bins if piece]


def _judge_bin(piece: list[tuple[float, float]]) -> PredictionBin:
    predicted = mean(one for one, _ in piece)
    off = abs(predicted - mean(won for _, won in piece))
    return PredictionBin(off, 2 * sqrt(predicted * (1 - predicted) / len(piece)))


def _find_coverage(
    rater: GameRater, settled: Sequence[tuple[str, str]], strength: Callable[[str], float]
) -> Json:
    within = [
        abs(_read_points(standing) - strength(player)) / (2 * standing.sigma / UNIT)
        for table, player in settled
        if (standing := rater.read(table, player)).sigma
    ]
    return {
        f"deviations_{times}": round(100 * mean(one <= times for one in within), 1)
        for times in (1, 2)
    }
