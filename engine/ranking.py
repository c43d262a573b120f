"""Ranks: the order of the seats at the end of a game (`docs/living.md`, "Ranks").

A seat whose owner stays to the end, or which belongs to a bot, is ranked by its final score. Then
come the seats whose owners left. Only the order of leaving counts for these, so that no player
leaves because the own score is high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

STAYED: Final = ("finished", "bot")
"""The outcomes of seats that are ranked by score."""

AWAY: Final = "stand_in"
"""The outcome of a seat whose owner is away at the last decision but has not forfeited."""

FORFEITED: Final = ("resigned", "timed_out", "removed", "left")
"""The outcomes of seats that their owners have lost for good; also the reasons of the event."""

OUTCOMES: Final = (*STAYED, AWAY, *FORFEITED)
"""All outcomes of a seat."""


def ranks(
    scores: Sequence[int],
    outcomes: Sequence[str],
    left: Sequence[int],
    slowest: int | None = None,
) -> list[int]:
    """Return the rank of each seat: 1 is the best, ties share a rank, the next rank counts them.

    `left` holds the seats of which the outcome is not in `STAYED`, in the order of leaving; the
    last to leave comes first among these. A forfeited seat never wins: where no seat has stayed,
    the last of those that are only away comes first. `slowest` is the last of those that have
    stayed, whatever its score: it had used the most time when the time of all was over. Raises
    `ValueError` when scores, outcomes and the order of leaving do not fit together.
    """
    _check(scores, outcomes, left)
    order = list(left)
    if len(left) == len(scores):
        away = [seat for seat in left if outcomes[seat] == AWAY]
        order.sort(key=lambda seat: seat in away[-1:])  # stable: the order of leaving stays
    behind = {seat: len(scores) - place for place, seat in enumerate(order)}
    if slowest is not None:
        behind.setdefault(slowest, len(scores) - len(order))
    staying = [score for seat, score in enumerate(scores) if seat not in behind]
    return [
        behind.get(seat) or 1 + sum(other > score for other in staying)
        for seat, score in enumerate(scores)
    ]


def move_behind(ranks: Sequence[int], replaced: Mapping[int, int]) -> list[int]:
    """Return the ranks of those who began: who was replaced comes behind all others.

    `replaced` leads from a seat to the version at which another player took it over; the last to go
    comes first among these.
    """
    order = [
        (1, -replaced[seat]) if seat in replaced else (0, rank) for seat, rank in enumerate(ranks)
    ]
    return [1 + sum(other < one for other in order) for one in order]


def winners(ranks: Sequence[int], outcomes: Sequence[str]) -> list[int]:
    """Return the seats of rank 1 that have not forfeited, in order: none where all have."""
    return [
        seat for seat, rank in enumerate(ranks) if rank == 1 and outcomes[seat] not in FORFEITED
    ]


def _check(scores: Sequence[int], outcomes: Sequence[str], left: Sequence[int]) -> None:
    if len(outcomes) != len(scores):
        raise ValueError(f"{len(outcomes)} outcomes for {len(scores)} scores")
    if unknown := [outcome for outcome in outcomes if outcome not in OUTCOMES]:
        raise ValueError(f"{unknown[0]!r} is no outcome; there are {', '.join(OUTCOMES)}")
    leavers = [seat for seat, outcome in enumerate(outcomes) if outcome not in STAYED]
    if sorted(left) != leavers:
        raise ValueError(f"the order of leaving is {list(left)}, but the outcomes name {leavers}")
