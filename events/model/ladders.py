"""Ladders: for which ratings a game counts, and how many turns its seats have had.

`people` and `bots` are rated games; `practice` is a game of one person against the bots of the
service. The rules are in `docs/ratings.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cartulary.events.model.types import Json

PEOPLE, BOTS, PRACTICE = LADDERS = ("people", "bots", "practice")

HINT, TAKEBACK, BRANCH = LEAVE_REASONS = ("hint", "takeback", "branch")
"""Why a practice game leaves its ladder."""

TURNS: Final = 3
"""From so many turns of each seat on, ending a practice game is a loss."""


def have_turns(moves: Iterable[Json], seats: int, enough: int) -> bool:
    """Return whether at least `enough` seats have had `TURNS` turns, by the moves that stand.

    A turn is an unbroken run of decisions of one seat. The moves come from either end of the game,
    and no more of them is taken than decides it: a long game costs what a short one does.
    """
    counts, last = [0] * seats, -1
    for move in moves:
        seat: int = move["seat"]
        counts[seat] += seat != last
        if seat != last and sum(count >= TURNS for count in counts) >= enough:
            return True
        last = seat
    return False


def is_harmless(moves: Sequence[Json]) -> bool:
    """Return whether taking these moves back leaves a practice game on its ladder.

    It does where no other seat has moved and nothing was drawn: the player has learned nothing.
    """
    return all(move["seat"] == moves[0]["seat"] and not move["chance"] for move in moves)
