"""What a game waits for, and from when on: the one answer for all who ask."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from cartulary.events.status import Status
from cartulary.events.table import Table

Kind = Literal["bot", "score"]
"""What is to be done: a bot answers, or the score is counted."""


class Due(NamedTuple):
    """Something that a game waits for.

    `position` is that of the table (`Table.position`): the thing is due as long as the table is at
    this position. `at` says from when on it is due, in ms since the epoch.
    """

    kind: Kind
    position: int
    at: int


def due(table: Table) -> Due | None:
    """Return what a game waits for, None while people are to move or nothing is to come.

    It reads no clock: `at` comes from the events, so everybody gets the same answer. Where a game
    waits for several things, the answer is the earliest of them.
    """
    kind = _kind(table)
    if kind is None:
        return None
    return Due(kind, table.position, milliseconds(table.updated_at))


def _kind(table: Table) -> Kind | None:
    if table.status is Status.SCORING:
        return "score"
    return "bot" if table.bot_to_move is not None else None


def milliseconds(at: str) -> int:
    """Return the time of an event (`at`, as in the HTTP contract) in ms since the epoch."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)
