"""What a free takeback costs: the time since the position gone back to. Pure.

A free takeback is charged like an answer, because placing and taking back would stop the clock for
ever otherwise (`docs/living.md`, "What a turn costs"). All comes from the table at that position,
so takebacks within the time charge nothing twice. Commands and the audit measure in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED, Clocks
from cartulary.events.model.time import timing
from cartulary.events.model.time.intervals import Interval, Intervals, clip, join, measure
from cartulary.events.model.time.pace import Pace
from cartulary.events.model.types import (
    MOVE_MADE,
    MOVES_TAKEN_BACK,
    TIME_GIVEN,
    TURN_TIMED_OUT,
    Json,
)


class Mark(NamedTuple):
    """A timed table after an event: the seat that is `asked` (-1: no seat), and who answers.

    `person` is the id of the player whose clock runs, None while a bot answers or the game rests.
    """

    event: Json
    clocks: Clocks
    asked: int
    person: str | None
    resting: bool
    overdue: bool

    @property
    def at(self) -> int:
        """The time of the event, in ms since the epoch."""
        return milliseconds(self.event["at"])


class StreamSpan(NamedTuple):
    """A span of the stream: what of it does not `count` for a player, and whether a flag `fell`."""

    uncounted: Intervals
    fell: bool


def make_mark(table: Table, event: Json) -> Mark:
    """Return the mark of a timed table after its last event."""
    assert table.clocks is not None
    seat = timing.find_timed_seat(table)
    owner = None if seat is None else table.seats[seat].player
    asked = -1 if table.play is None else table.play.state.seat
    person = None if owner is None else owner["id"]
    return Mark(event, table.clocks, asked, person, table.resting, table.overdue)


def charge_takeback(
    table: Table, player_id: str, marks: Sequence[Mark], received: int, stops: Iterable[Interval]
) -> Json | None:
    """Return `clock` of a takeback of a player to the first of the `marks`, which reach to now.

    `received` is when the request came in, `stops` are the outages and the player's vacations. None
    when delay and bank are used up, or a flag of the player fell since and was not raised again.
    """
    base, pace = marks[0], timing.find_pace(table)
    assert pace is not None
    known, fell = _read_past(marks, received, _list_ids(table, player_id))
    since = base.clocks.since
    stopped = measure(clip(join(known, stops), since, received))
    used = max(0, received - since - stopped)
    clock = describe_takeback(table, player_id, marks, used, stopped)
    return None if fell or used >= _find_left(pace, marks) else clock


def describe_takeback(
    table: Table, player_id: str, marks: Sequence[Mark], used: int, stopped: int
) -> Json:
    """Return `clock` of a takeback that is charged `used` ms: turn and banks follow from that."""
    base, pace = marks[0], timing.find_pace(table)
    assert pace is not None
    assert table.clocks is not None
    banks = list(table.clocks.banks)
    for seat in table.seats_of(player_id):
        banks[seat] = base.clocks.banks[seat] + _count_given(marks, seat)
    delay = timing.find_delay(base.clocks, pace, base.asked)
    banks[base.asked] = max(0, banks[base.asked] - timing.find_over(base.clocks, delay, used))
    turn_used = base.clocks.turn_used + used
    return {"used": used, "stopped": stopped, "turn_used": turn_used, "banks": banks}


def find_takeback_faults(
    table: Table, player_id: str, marks: Sequence[Mark], event: Json, patience: int
) -> Iterator[str]:
    """Yield what is wrong with `clock` of a takeback, for the audit.

    `patience` is what the time of an event may be later than the request, in ms.
    """
    clock, pace = event["clock"], timing.find_pace(table)
    assert pace is not None
    at, used, stopped = milliseconds(event["at"]), clock["used"], clock["stopped"]
    span = at - marks[0].clocks.since
    if min(used, stopped) < 0 or abs(used + stopped - span) > patience:
        yield f"used {used} ms and stopped {stopped} ms are not the {span} ms since the position"
    known, fell = _read_past(marks, at, _list_ids(table, player_id))
    if used > span - measure(known):
        yield f"{measure(known)} ms do not count, and used are {used} of {span} ms"
    if fell or used >= _find_left(pace, marks):
        yield "the time was used up, or the flag had fallen"
    expected = describe_takeback(table, player_id, marks, used, stopped)
    if clock != expected:
        yield f"the clock is {expected} after it, not {clock}"


def _find_left(pace: Pace, marks: Sequence[Mark]) -> int:
    """Return the delay and the bank that the seat had, with the time that it was given since."""
    clocks, seat = marks[0].clocks, marks[0].asked
    free = max(0, timing.find_delay(clocks, pace, seat) - clocks.turn_used)
    return free + clocks.banks[seat] + _count_given(marks, seat)


def _count_given(marks: Sequence[Mark], seat: int) -> int:
    """Return the ms that a seat was given after the first mark."""
    events = (one.event for one in marks[1:])
    return sum(e["ms"] for e in events if e["type"] == TIME_GIVEN and e["seat"] == seat)


def _list_ids(table: Table, player_id: str) -> set[str]:
    """Return the ids of a player: a guest who has merged is the same person."""
    return {player_id} | {
        one.player["id"]
        for one in table.course.tenures
        if one.reason == MERGED and table.seats[one.seat].is_held_by(player_id)
    }


def _read_past(marks: Sequence[Mark], until: int, ids: set[str]) -> StreamSpan:
    """Return what the stream knows of the time from the first mark until a moment.

    Pauses, rests, and the time from a flag to the gift that has raised it do not count; nor do the
    spans in which another person was asked, and those of bots that completed a move.
    """
    uncounted: list[Interval] = []
    bot: list[Interval] = []
    fallen: list[Interval] = []
    fell = False
    for mark, after in pairwise([*marks, None]):
        assert mark is not None
        span = mark.at, until if after is None else after.at
        if mark.clocks.paused is not None:
            uncounted += clip((mark.clocks.paused,), *span)
        if mark.resting or (mark.person is not None and mark.person not in ids):
            uncounted.append(span)
        (bot if mark.person is None else fallen if mark.overdue else []).append(span)
        fell = fell or (mark.event["type"] == TURN_TIMED_OUT and mark.person in ids)
        if after is None:
            break
        if after.event["type"] == MOVE_MADE:
            uncounted += bot
        if after.event["type"] == TIME_GIVEN and mark.overdue and not after.overdue:
            uncounted += fallen
            fell = False
        if after.person is not None or after.event["type"] in (MOVE_MADE, MOVES_TAKEN_BACK):
            bot = []
        if not after.overdue:
            fallen = []
    return StreamSpan(join(uncounted), fell)
