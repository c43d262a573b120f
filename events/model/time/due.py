"""What a game waits for, and from when on: the one answer for all who ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple, get_args

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.time.intervals import Interval
from cartulary.events.model.time.silence_rules import (
    BOT_MS,
    RESTING_MS,
    ROUND_START_MS,
    UNTOUCHED_MS,
    WARNED_MS,
    WARNED_UNSTARTED_MS,
    find_wait,
)
from cartulary.events.model.time.timing import deadline, find_pace

Work = Literal["bot", "score"]
"""What a worker has to do: let a bot answer, or count the score."""

WORK: Final = get_args(Work)

Timer = Literal[
    "offer",
    "proposal",
    "unstarted",
    "resting",
    "untouched",
    "flag",
    "pause",
    "warning",
    "late_bot",
    "round_start",
]
"""What ends by itself: an offer of a seat, a proposal, a game that no player goes on with, the time
of the player who is asked, also that of the bot of a player in an untimed game (`late_bot`), a
pause; the time to be ready for a game of a round. A `warning` tells people that a game ends
soon."""

Kind = Work | Timer


class DueTime(NamedTuple):
    """Something that a game waits for.

    `position` is that of the table (`Table.position`): work is due as long as the table is at this
    position. `at` says from when on it is due, in ms since the epoch.
    """

    kind: Kind
    position: int
    at: int


def due(table: Table, since: int = 0) -> DueTime | None:
    """Return what a game waits for, None while nothing is to come.

    It reads no clock: `at` comes from the events, so everybody gets the same answer. Where a game
    waits for several things, the answer is the earliest of them. `since` is the moment (ms since
    the epoch) before which no age counts.
    """
    found = list_timers(table, since)
    if (work := find_work(table)) is not None:
        found.append(DueTime(work, table.position, find_work_at(table)))
    return min(found, key=_at, default=None)


def find_work(table: Table) -> Work | None:
    """Return what a game waits for a worker to do, None when it waits for no worker."""
    if table.status is Status.SCORING:
        return "score"
    return "bot" if table.bot_to_move is not None else None


def find_work_at(table: Table) -> int:
    """Return from when on a worker may do what the game waits for, in ms since the epoch.

    A bot waits after the last event for as long as the game says (`GameSettings.bot_delay`).
    """
    delay = table.terms.bot_delay if table.running else 0
    return milliseconds(table.updated_at) + delay


def list_timers(table: Table, since: int = 0) -> list[DueTime]:
    """Return what ends by itself in a game unless something happens before, the earliest first."""
    found = [DueTime(kind, table.position, at) for kind, at in _list_timers(table, since)]
    return sorted(found, key=_at)


def _at(one: DueTime) -> int:
    return one.at


def _list_timers(table: Table, since: int) -> Iterator[tuple[Timer, int]]:
    status = table.status
    if status is not Status.OPEN and status is not Status.RUNNING:
        return
    for seat in table.seats:
        if seat.offer is not None:
            yield "offer", milliseconds(seat.offer.expires_at)
    fall = find_fall(table)
    if fall is not None:
        yield "flag", fall
    if table.clocks is not None and table.clocks.paused is not None:
        yield "pause", table.clocks.paused[1]
    if (proposal := table.course.proposal) is not None:
        yield "proposal", milliseconds(proposal.expires_at)
    if (asked := find_asked_bot(table)) is not None:
        yield "late_bot", asked + BOT_MS
    silent_since = max(since, milliseconds(table.updated_at))
    if status is Status.OPEN:
        yield from _list_starts(table, silent_since)
    elif table.resting:
        yield "resting", silent_since + RESTING_MS
    elif fall is None:  # a clock that runs may run for longer than that
        yield "untouched", silent_since + UNTOUCHED_MS
        yield "warning", silent_since + UNTOUCHED_MS - WARNED_MS


def _list_starts(table: Table, silent_since: int) -> Iterator[tuple[Timer, int]]:
    """Yield what becomes of a game that waits for its start: that of a round starts in any case."""
    if table.terms.tournament is not None:
        yield "round_start", milliseconds(table.terms.created_at) + ROUND_START_MS
        return
    wait = find_wait(table.visibility, table.terms.expires_in, table.live)
    yield "unstarted", silent_since + wait
    if wait > WARNED_UNSTARTED_MS:
        yield "warning", silent_since + wait - WARNED_UNSTARTED_MS


def find_asked_bot(table: Table) -> int | None:
    """Return since when the bot of a player is asked in an untimed game, in ms since the epoch.

    None when no such bot has to answer; a game that rests asks no bot.
    """
    if table.clocks is not None or table.play is None or not table.running:
        return None
    seat = table.seats[table.play.state.seat]
    if is_person(seat.player) or seat.answering_bot is not None or table.resting:
        return None
    return milliseconds(table.updated_at)


def find_fall(table: Table, stops: Iterable[Interval] = ()) -> int | None:
    """Return when the flag of the seat that is asked falls, in ms since the epoch.

    None when no clock runs, or the flag has fallen. Without `stops` (outages and vacations) the
    answer follows from the events alone, and the flag falls then or later.
    """
    if table.clocks is None or table.overdue:
        return None
    end, pace = deadline(table, stops), find_pace(table)
    return None if end is None or pace is None else end + pace.grace_ms
