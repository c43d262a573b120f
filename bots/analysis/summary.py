"""What an analysis says of a whole game: per seat accuracy, loss, luck and turning points.

Everything follows from the decisions as they stand in JSON, so it can be computed from stored
decisions again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Final

from cartulary.bots.analysis.base import Analysable, find_analyst
from cartulary.bots.analysis.decisions import DIGITS, is_forced, rate_accuracy
from cartulary.engine.core import Json

CLEAR: Final = 0.05
"""So far above or below its even share of the win a seat is clearly ahead or behind."""

LEAP: Final = 0.15
"""A change of the share of the win by so much is a turning point in any case."""

MOST_POINTS: Final = 5
"""Turning points of a seat; where there are more, those with the greatest change are kept."""


def summarise(decisions: Iterable[Json], offer: Analysable, seats: int) -> list[Json]:
    """Return the summary of each seat.

    `accuracy` is the mean over the decisions with a choice of `exp(-certain / tolerance)`, from 0
    to 100, where `certain` is the loss less its standard error; 100 for a seat without such a
    decision. `loss` and `luck` are sums in points. `turning_points` has versions of moves. Raises
    `NoAnalysis`.
    """
    found, tolerance = list(decisions), find_analyst(offer).tolerance
    return [
        {
            "accuracy": _rate_accuracy([one for one in found if one["seat"] == seat], tolerance),
            "loss": _add(found, seat, "loss"),
            "luck": _add(found, seat, "luck"),
            "turning_points": find_turning_points(found, seat, seats),
        }
        for seat in range(seats)
    ]


def describe(decisions: Sequence[Json], offer: Analysable, seats: int, level: str) -> Json:
    """Return a finished analysis as `GET …/analysis` and `cartulary analyse` give it."""
    return {
        "status": "done",
        "progress": 1.0,
        "level": level,
        "decisions": list(decisions),
        "seats": summarise(decisions, offer, seats),
    }


def find_turning_points(decisions: Sequence[Json], seat: int, seats: int) -> list[int]:
    """Return the versions at which the result that a seat may expect turned, in ascending order.

    It turned where the share of the win went from clearly more than the even share to clearly less,
    or back, and where it changed by `LEAP` or more at once.
    """
    even, side = 1 / seats, 0
    last: float | None = None
    points: list[tuple[float, int]] = []
    for version, win in _follow_wins(decisions, seat, seats):
        now = (win >= even + CLEAR) - (win <= even - CLEAR)
        change, turned = abs(win - (win if last is None else last)), now * side < 0
        if turned or change >= LEAP:
            points.append((turned + change, version))
        side, last = now or side, win
    return sorted(version for _, version in sorted(points, reverse=True)[:MOST_POINTS])


def _follow_wins(decisions: Sequence[Json], seat: int, seats: int) -> Iterable[tuple[int, float]]:
    """Yield versions with the share of the win of a seat after them.

    With two seats every decision says it; with more seats the seat's own decisions.
    """
    for one in decisions:
        if one["seat"] == seat:
            yield one["version"], one["win"]
        elif seats == 2:
            yield one["version"], 1 - one["win"]


def _rate_accuracy(decisions: Sequence[Json], tolerance: float) -> float:
    rates = [rate_accuracy(one, tolerance) for one in decisions if not is_forced(one)]
    return round(100 * fsum(rates) / len(rates), 1) if rates else 100.0


def _add(decisions: Sequence[Json], seat: int, key: str) -> float:
    total: float = fsum(one[key] for one in decisions if one["seat"] == seat)
    return round(total, DIGITS)
