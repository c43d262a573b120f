"""When a tournament is to be looked at. Pure: the clock is the caller's."""

from __future__ import annotations

from typing import Final

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.time.intervals import Intervals, find_end
from cartulary.tournaments.state import OPEN, RUNNING, Tournament
from cartulary.tournaments.terms import AT, WHEN_FULL

HOUR_MS: Final = 3_600_000

LOOK_MS: Final = 15_000
"""A running tournament is looked at so often, whatever happens."""

UNSTARTED_MS: Final = 30 * 24 * HOUR_MS
"""A tournament that its host does not start is called off after so long."""


def find_due(tournament: Tournament) -> int:
    """Return when a tournament is to be moved on, in ms since the epoch.

    One that is not open is due since its last event: the step finds what there is to do, and says
    when to look again. After the end games are ended or opened, and inboxes get the end.
    """
    if tournament.status != OPEN:
        return milliseconds(tournament.updated_at)
    terms = tournament.terms
    if terms.start == WHEN_FULL and tournament.full:
        return milliseconds(tournament.updated_at)
    return find_start(tournament)


def find_start(tournament: Tournament) -> int:
    """Return when an open tournament starts, or is called off, at the latest."""
    terms = tournament.terms
    if terms.start == AT and terms.start_at is not None:
        return milliseconds(terms.start_at)
    return milliseconds(tournament.created_at) + UNSTARTED_MS


def find_window_end(tournament: Tournament, stops: Intervals) -> int | None:
    """Return when the window of the open round ends, None without an open round.

    Outages (`stops`) lengthen the window.
    """
    round_, hours = tournament.open_round, tournament.terms.window
    if round_ is None or round_.ends_at is None or hours is None:
        return None
    length = hours * HOUR_MS
    return find_end(milliseconds(round_.ends_at) - length, length, stops)


def find_arena_end(tournament: Tournament, stops: Intervals) -> int | None:
    """Return when the time of an arena is over, None for another tournament or before its start."""
    terms = tournament.terms
    if not terms.arena or terms.minutes is None or tournament.started_at is None:
        return None
    return find_end(milliseconds(tournament.started_at), 60_000 * terms.minutes, stops)


def find_next_look(tournament: Tournament, now: int, end: int | None) -> int | None:
    """Return when a tournament is looked at again after a look, None for one that has ended.

    `end` is when the open round, or the arena, is over. A running tournament is looked at from time
    to time: what wakes it may have been lost with a dispatcher.
    """
    if tournament.status == OPEN:
        return max(find_due(tournament), now + LOOK_MS)
    if tournament.status != RUNNING:
        return None
    again = now + LOOK_MS
    return again if end is None else min(again, max(end, now + 1000))
