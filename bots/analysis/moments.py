"""The moments of a finished game from which a player learns most.

A moment is a decision that cost its seat something although a better move was there, while the game
was open: the seat was neither lost nor had won anyway. Everything follows from the decisions as
they stand in JSON, so it can be computed from stored decisions again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cartulary.bots.analysis.decisions import BEST, GOOD, find_certain_loss
from cartulary.engine.core import Json

MOST: Final = 3
"""The number of moments of a seat that are shown."""

OPEN: Final = 0.4
"""A seat with less than this part of its even share of the win is lost anyway."""


def choose_moments(
    decisions: Sequence[Json], seat: int, seats: int, left_out: Collection[int] = ()
) -> list[Json]:
    """Return the decisions of a seat that cost most, in the order of the game.

    Of a turn, which may be several decisions, the costliest alone. The versions of `left_out` are
    not chosen: a stand-in has decided them.
    """
    found: list[tuple[int, Json]] = []
    own = [
        (at, one)
        for at, one in enumerate(decisions)
        if one["seat"] == seat
        and one["version"] not in left_out
        and one["mark"] not in (BEST, GOOD)
        and is_open(one, seats)
    ]
    for at, one in sorted(own, key=lambda entry: (-_rank(entry[1]), entry[0])):
        if len(found) < MOST and not any(_is_one_turn(decisions, at, other) for other, _ in found):
            found.append((at, one))
    return [one for _, one in sorted(found, key=lambda entry: entry[0])]


def is_open(decision: Json, seats: int) -> bool:
    """Return whether the result was open: the best move was not lost, the move made has not won."""
    least = OPEN / seats
    return bool(decision["best_win"] >= least and decision["win"] <= 1 - least)


def _rank(decision: Json) -> float:
    return find_certain_loss(decision["loss"], decision["error"])


def _is_one_turn(decisions: Sequence[Json], one: int, other: int) -> bool:
    """Return whether one seat made all decisions from one to the other."""
    low, high = sorted((one, other))
    return len({decision["seat"] for decision in decisions[low : high + 1]}) == 1
