"""What the tables of the analysis in `bots/analysis/` rest on, for each game.

`scales`: games in which each seat is `easy` or `medium` by lot; of one in `every` decisions
`SAMPLES` samples are played out, and the mean of their shares of the win, which is what the
analysis shows, is compared with the result. For each part of a game: the mean of
`SampleOutcome.scale` as the table has it (`table`), and the scale under which results are most
likely (`fitted`).

`reliability`: of the same positions, the shares of the win that all seats were given, in tenths:
how many there are, their mean (`foretold`), and the share that these seats won (`won`).

`levels`: games of each level against itself, a part of their decisions analysed as by `hard`: how
often each mark comes, among decisions with a choice, the accuracy, and the loss less its error that
a tenth and a hundredth of the moves exceed. `ratio` is how many times as many mistakes and blunders
`easy` makes as `hard`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from math import fsum, log
from typing import Any, NamedTuple

import cartulary
from cartulary.bots.analysis import MARKS, Analyst, analyse, find_analyst
from cartulary.bots.analysis.base import SampleOutcome
from cartulary.bots.analysis.decisions import find_certain_loss, is_forced, rate_accuracy
from cartulary.bots.analysis.rating import share_win
from cartulary.engine.core import Json
from cartulary.games import OFFERS

PARTS = 8
"""The estimates are divided into so many parts of a game."""

TENTHS = 10

COARSE = 8
"""The half points between the scales that are tried first."""

SAMPLES = 8
"""Samples of a position. One alone would say less of the result than the analysis does, because its
draws are not those that come: so the scale that fits it is too large for the mean of several."""

PIECE = 6
"""The number of decisions in a row that are analysed; then a third of the game is left out."""

LEVELS = ("easy", "medium", "hard")


class Estimate(NamedTuple):
    """The ends of the samples of a position, and the winners of the game."""

    outcomes: Sequence[SampleOutcome]
    winners: Sequence[int]

    @property
    def scale(self) -> float:
        """Return the mean scale of the ends, 0 when the game is over at each."""
        return fsum(outcome.scale for outcome in self.outcomes) / len(self.outcomes)

    def find_shares(self, factor: float = 1.0) -> list[float]:
        """Return the share of the win of each seat as the analysis finds it; scales times a factor.

        It is the mean of the shares of the samples.
        """
        found = [share_win(SampleOutcome(one.values, factor * one.scale)) for one in self.outcomes]
        return [fsum(shares) / len(found) for shares in zip(*found, strict=True)]


def main(
    seconds: float = 0.0,
    game: str = "carcassonne",
    seats: int = 2,
    games: int = 60,
    analysed: int = 3,
    seed: int = 1,
    every: int = 9,
) -> dict[str, Any]:
    """Play `games` for the scales, and analyse a part of `analysed` games of each level."""
    del seconds  # the numbers of games say how long it takes
    offer = OFFERS[game]
    analyst = find_analyst(offer)
    estimates = [
        found
        for number in range(seed, seed + games)
        for found in estimate_game(analyst, game, seats, number, every)
    ]
    numbers = range(seed, seed + analysed)
    levels = {level: rate_level(analyst, game, seats, level, numbers) for level in LEVELS}
    easy, _, hard = (found["mistake"] + found["blunder"] for found in levels.values())
    return {
        "scales": fit_parts(estimates),
        "reliability": compare_tenths(estimates),
        "levels": levels,
        "ratio": easy / max(hard, 0.001),
    }


def estimate_game(
    analyst: Analyst[Any],
    game: str,
    seats: int,
    seed: int,
    every: int,
    levels: Sequence[str] = LEVELS[:2],
) -> Iterator[Estimate]:
    """Yield the estimates of a game of bots of some levels by lot."""
    rng, analyst = random.Random(f"{game}/{seed}"), analyst.open(seed)
    players = [rng.choice(levels) for _ in range(seats)]
    match, found = cartulary.new_game(game, seats, seed=seed), []
    while not match.over:
        if rng.randrange(every) == 0:
            samples = analyst.draw_samples(match.state, rng, SAMPLES)
            found.append([analyst.play_out(match.state, (), sample) for sample in samples])
        match.play_bot(players[match.seat])
    yield from (Estimate(outcomes, match.result.winners) for outcomes in found)


def fit_parts(estimates: Sequence[Estimate]) -> dict[str, dict[str, float]]:
    """Return the scale of the table and the fitted scale, for each part of the games."""
    open_ones = sorted((one for one in estimates if one.scale), key=_find_scale)
    size = len(open_ones) // PARTS + 1
    parts = [open_ones[at : at + size] for at in range(0, len(open_ones), size)]
    return {
        f"part_{number}": {
            "estimates": len(part),
            "table": _average_scale(part),
            "fitted": fit_scale(part),
        }
        for number, part in enumerate(parts, 1)
    }


def _find_scale(estimate: Estimate) -> float:
    return estimate.scale


def _average_scale(estimates: Sequence[Estimate]) -> float:
    return sum(map(_find_scale, estimates)) / len(estimates)


def fit_scale(estimates: Sequence[Estimate]) -> float:
    """Return the mean scale under which the winners are most likely, from 0.5 to 80 points.

    The doubt has one valley, so the half points are tried near the best of a few.
    """
    table = _average_scale(estimates)

    def doubt(half: int) -> float:
        return _doubt(estimates, half / 2 / table)

    near = min(range(COARSE, 161, COARSE), key=doubt)
    return min(range(near - COARSE + 1, min(near + COARSE, 161)), key=doubt) / 2


def _doubt(estimates: Sequence[Estimate], factor: float) -> float:
    """Return minus the logarithm of the likelihood of the winners, with scales times a factor."""
    total = 0.0
    for estimate in estimates:
        shares, winners = estimate.find_shares(factor), estimate.winners
        total -= log(max(sum(shares[seat] for seat in winners) / len(winners), 1e-9))
    return total


def compare_tenths(estimates: Sequence[Estimate]) -> dict[str, dict[str, float]]:
    """Return, for each tenth of foretold shares that has any, what was foretold and what was won.

    A position foretells nothing when the game is over at the end of each sample.
    """
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(TENTHS)]
    for estimate in estimates:
        winners = estimate.winners
        for seat, share in enumerate(estimate.find_shares() if estimate.scale else []):
            won = (seat in winners) / len(winners)
            tenths[min(TENTHS - 1, int(TENTHS * share))].append((share, won))
    return {
        f"from_{10 * number}_%": {
            "shares": len(pairs),
            "foretold": sum(share for share, _ in pairs) / len(pairs),
            "won": sum(won for _, won in pairs) / len(pairs),
        }
        for number, pairs in enumerate(tenths)
        if pairs
    }


def rate_level(
    analyst: Analyst[Any], game: str, seats: int, level: str, numbers: Sequence[int]
) -> dict[str, float]:
    """Return how often a level gets each mark, its accuracy and its losses."""
    found = [one for seed in numbers for one in analyse_game(game, seats, level, seed)]
    chosen = [one for one in found if not is_forced(one)]
    if not chosen:
        return dict.fromkeys(("decisions", *MARKS, "accuracy", "tenth", "hundredth"), 0.0)
    losses = sorted(find_certain_loss(one["loss"], one["error"]) for one in chosen)
    marks = {mark: sum(one["mark"] == mark for one in chosen) / len(chosen) for mark in MARKS}
    accuracy = sum(rate_accuracy(one, analyst.tolerance) for one in chosen) / len(chosen)
    return {
        "decisions": len(chosen),
        **marks,
        "accuracy": 100 * accuracy,
        "tenth": losses[-(len(losses) // 10) - 1],
        "hundredth": losses[-(len(losses) // 100) - 1],
    }


def analyse_game(game: str, seats: int, level: str, seed: int) -> Iterator[Json]:
    """Yield a third of the decisions of a game of one level."""
    transcript = cartulary.play_game(game, [level] * seats, seed=seed).transcript()
    for start in range(0, len(transcript.moves), 3 * PIECE):
        found = analyse(transcript, OFFERS, start=start, seed=seed)
        yield from (one.to_json() for one in islice(found, PIECE))
