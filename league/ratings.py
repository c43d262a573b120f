"""Ratings like Elo, fitted to all games of a league at once.

The model of Luce, which is that of Bradley and Terry with two seats: each seat is first with a
chance in proportion to the strength of its player. 400 points are a strength ten times as large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

from cartulary.league.statistics import Z

AVERAGE: Final = 1500
"""The rating of `medium`; without `medium`, the average of all ratings."""

SCALE: Final = 400 / log(10)
"""Points of rating for each unit of the logarithm of a strength."""

EVEN_GAMES: Final = 2.0
"""Games with an even end that are added for each two players who met: they keep the rating of a
player finite that has won all its games."""

ROUNDS: Final = 100


class RatedResult(NamedTuple):
    """Who sat on each seat, and the share of the win of each seat; `weight` counts such games."""

    players: tuple[str, ...]
    shares: tuple[float, ...]
    weight: float = 1.0


class Rating(NamedTuple):
    """The rating of a player, with the bounds of its interval of 95 %.

    The interval is that of the difference to the anchor, so the anchor itself has none. Without an
    anchor it is that of the difference to the average.
    """

    value: float
    low: float
    high: float


def rate(outcomes: Sequence[RatedResult], anchor: str = "medium") -> dict[str, Rating]:
    """Return the rating of each player, the best first.

    `anchor` has 1500 when it is one of the players; otherwise the average is 1500.
    """
    names = sorted({name for outcome in outcomes for name in outcome.players})
    if not names:
        return {}
    played = _merge([*outcomes, *_even_games(outcomes)])
    strengths = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        slope, curve = _differentiate(played, strengths, names)
        steps = _solve(curve, slope)
        for name, step in zip(names, steps, strict=True):
            strengths[name] += max(-1.0, min(1.0, step))
        if max(map(abs, steps), default=0.0) < 1e-9:
            break
    _, curve = _differentiate(played, strengths, names)
    return _scale(strengths, _invert(curve), names, anchor)


def _merge(outcomes: Iterable[RatedResult]) -> list[RatedResult]:
    """Return each kind of outcome once, with the weight of all of them."""
    weights: dict[RatedResult, float] = {}
    for outcome in outcomes:
        kind = outcome._replace(weight=1.0)
        weights[kind] = weights.get(kind, 0.0) + outcome.weight
    return [kind._replace(weight=weight) for kind, weight in weights.items()]


def _even_games(outcomes: Iterable[RatedResult]) -> list[RatedResult]:
    met = {
        (one, other) for outcome in outcomes for one in outcome.players for other in outcome.players
    }
    return [RatedResult(pair, (0.5, 0.5), EVEN_GAMES) for pair in sorted(met) if pair[0] < pair[1]]


def _differentiate(
    outcomes: Iterable[RatedResult], strengths: Mapping[str, float], names: Sequence[str]
) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the logarithm of the likelihood, and its curvature with sign changed.

    A weak spring holds the average at 0: the likelihood alone leaves it open.
    """
    place = {name: number for number, name in enumerate(names)}
    curve = [[1e-3] * len(names) for _ in names]
    mean = sum(strengths.values()) * 1e-3
    slope = [-mean for _ in names]
    for outcome in outcomes:
        chances = dict.fromkeys(outcome.players, 0.0)
        weights = [exp(strengths[name]) for name in outcome.players]
        for name, weight in zip(outcome.players, weights, strict=True):
            chances[name] += weight / sum(weights)
        for name, share in zip(outcome.players, outcome.shares, strict=True):
            slope[place[name]] += outcome.weight * share
        for one, chance in chances.items():
            slope[place[one]] -= outcome.weight * chance
            curve[place[one]][place[one]] += outcome.weight * chance
            for other, second in chances.items():
                curve[place[one]][place[other]] -= outcome.weight * chance * second
    return slope, curve


def _scale(
    strengths: Mapping[str, float],
    spread: Sequence[Sequence[float]],
    names: Sequence[str],
    anchor: str,
) -> dict[str, Rating]:
    """Return the ratings from the strengths and their covariances, the best first."""
    fixed = [float(name == anchor) for name in names]
    if anchor not in names:
        fixed = [1 / len(names)] * len(names)
    base = sum(share * strengths[name] for share, name in zip(fixed, names, strict=True))
    found = {}
    for number, name in enumerate(names):
        away = [(place == number) - share for place, share in enumerate(fixed)]
        variance = sum(
            one * other * cell
            for one, row in zip(away, spread, strict=True)
            for other, cell in zip(away, row, strict=True)
        )
        value = AVERAGE + SCALE * (strengths[name] - base)
        reach = Z * SCALE * sqrt(max(0.0, variance))
        found[name] = Rating(value, value - reach, value + reach)
    return dict(sorted(found.items(), key=lambda pair: -pair[1].value))


def _invert(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    size = range(len(matrix))
    columns = [_solve(matrix, [float(row == column) for row in size]) for column in size]
    return [[columns[column][row] for column in size] for row in size]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations (Gauss, with the largest pivot)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        first = rows[column]
        for lower in rows[column + 1 :]:
            share = lower[column] / first[column]
            for place in range(column, len(lower)):
                lower[place] -= share * first[place]
    found = [0.0] * len(rows)
    for row in reversed(range(len(rows))):
        known = sum(rows[row][at] * found[at] for at in range(row + 1, len(rows)))
        found[row] = (rows[row][-1] - known) / rows[row][row]
    return found
