"""The arithmetic of the clocks: what a decision costs, and when a flag falls.

Pure: the time comes from a command or from the events. All times are integers in milliseconds; a
moment is counted from the epoch. The rules are in `docs/living.md`, "Clocks".

The clock runs for the seat that is asked, as long as its owner has to answer. A turn is an unbroken
run of decisions of one seat. In each turn the delay is free; what goes beyond it leaves the bank.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks, GameSettings
from cartulary.events.model.time.intervals import (
    Interval,
    Intervals,
    clip,
    find_end,
    join,
    measure,
)
from cartulary.events.model.time.pace import FIRST_DELAY_MS, LIVE, Pace, read_pace
from cartulary.events.model.types import Json

FOREVER: Final = 1 << 53
"""Later than any moment: stops up to this moment are all that are known."""


class ClockStops(Protocol):
    """What stops clocks without an event: outages of the service, and vacations of the owner."""

    def stops(self, table: Table, seat: int, since: int, until: int) -> Intervals:
        """Return the time within a span that does not count for a seat: sorted and disjoint."""
        ...

    def cached_stops(self, table: Table, seat: int, since: int, until: int) -> Intervals:
        """Return the same without asking the store. Raises `errors.NotCached`."""
        ...

    def is_fresh(self) -> bool:
        """Return whether a web process works, so that a flag may fall."""
        ...

    def find_reason(self, table: Table, seat: int, at: int) -> str | None:
        """Return what stops the clock of a seat at a moment: `vacation`, `outage`, or None."""
        ...


class NoStops:
    """A calendar without outages and vacations."""

    def stops(self, _table: Table, _seat: int, _since: int, _until: int) -> Intervals:
        """Return nothing."""
        return ()

    cached_stops = stops

    def is_fresh(self) -> bool:
        """Return true: a test without a service has no outages."""
        return True

    def find_reason(self, _table: Table, _seat: int, _at: int) -> str | None:
        """Return None: nothing stops a clock."""
        return None


NO_STOPS: Final = NoStops()


class Charge(NamedTuple):
    """What an answer costs: the time `used`, the time `stopped` that does not count, in ms.

    `bank` is what the seat has after it, without any refill.
    """

    used: int
    stopped: int
    bank: int


# -- the clock of a table -------------------------------------------------------------------------


def find_timed_seat(table: Table) -> int | None:
    """Return the seat whose clock runs: the owner of the seat is asked. None when no clock runs."""
    if table.clocks is None or not table.running or table.play is None:
        return None
    number = table.play.state.seat
    if number < 0:
        return None
    seat = table.seats[number]
    return number if seat.player is not None and seat.answering_bot is None else None


def find_pace(table: Table) -> Pace | None:
    """Return the pace of a table, None for an untimed game."""
    return read_pace(table.terms.pace)


def find_delay(clocks: Clocks, pace: Pace, seat: int) -> int:
    """Return the time that is free in this turn of a seat, in ms."""
    delay = 1000 * pace.delay
    if pace.mode == LIVE and delay < FIRST_DELAY_MS and seat not in clocks.turned:
        return FIRST_DELAY_MS
    return delay


def list_stops(clocks: Clocks, stops: Iterable[Interval] = ()) -> Intervals:
    """Return all that stops the clock of the seat that is asked: these stops, and the pauses."""
    paused = () if clocks.paused is None else (clocks.paused,)
    return join(clocks.stops, paused, stops)


def charge(table: Table, received: int, stops: Iterable[Interval] = ()) -> Charge:
    """Return what an answer of the seat that is asked costs, when it came in at `received`.

    `stops` are the outages and the vacation of the owner. There must be a timed seat. Every move of
    a timed game comes here, so there are few calls.
    """
    clocks, pace, seat = _must_be_timed(table)
    used, stopped = received - clocks.since, 0
    if stops or clocks.stops or clocks.paused is not None:
        stopped = measure(clip(list_stops(clocks, stops), clocks.since, received))
        used -= stopped
    if used <= 0:
        return Charge(0, stopped, clocks.banks[seat])
    over = find_over(clocks, find_delay(clocks, pace, seat), used)
    bank = clocks.banks[seat]
    return Charge(used, stopped, bank if over == 0 else max(0, bank - over))


def find_over(clocks: Clocks, delay: int, used: int) -> int:
    """Return how much of `used` ms goes beyond the delay of the turn."""
    free = delay - clocks.turn_used
    if free <= 0:
        return used
    return used - free if used > free else 0


def refill(pace: Pace, bank: int, turn_used: int) -> int:
    """Return the bank after a turn that used so much. Time given above the start is not cut."""
    return max(bank, min(pace.bank_ms, bank + min(pace.refill_ms, turn_used)))


def find_deadline(table: Table, calendar: ClockStops) -> int | None:
    """Return when the time of the seat that is asked is over, as far as that is known now.

    In ms since the epoch, without grace; None when no clock runs. Raises what the calendar raises.
    """
    seat = find_timed_seat(table)
    if seat is None or table.clocks is None:
        return None
    return deadline(table, calendar.stops(table, seat, table.clocks.since, FOREVER))


def deadline(table: Table, stops: Iterable[Interval] = ()) -> int | None:
    """Return when the time of the seat that is asked is over, without grace; None: no clock runs.

    `stops` are the outages and the vacation of the owner, as far as they are known. The answer is
    the earliest moment at which delay and bank are used up.
    """
    if find_timed_seat(table) is None:
        return None
    clocks, pace, seat = _must_be_timed(table)
    left = max(0, find_delay(clocks, pace, seat) - clocks.turn_used) + clocks.banks[seat]
    return find_end(clocks.since, left, list_stops(clocks, stops))


def grace(pace: Pace) -> int:
    """Return how long after the deadline a flag falls, in ms."""
    return pace.grace_ms


def _must_be_timed(table: Table) -> tuple[Clocks, Pace, int]:
    clocks, pace, play = table.clocks, read_pace(table.terms.pace), table.play
    assert clocks is not None
    assert pace is not None
    assert play is not None
    return clocks, pace, play.state.seat


def describe_charge(table: Table, charged: Charge, asked: int) -> Json:
    """Return `clock` of a move after which the seat `asked` is asked (-1: none is).

    The move ends the turn when another seat is asked: then the bank is refilled.
    """
    clocks, terms, play = table.clocks, table.terms.pace, table.play
    assert clocks is not None
    assert terms is not None
    assert play is not None
    used, stopped, bank = charged
    # Nearly always the bank is full, and nothing comes back.
    if bank < 1000 * terms["bank"] and asked not in (play.state.seat, -1):
        bank = refill(Pace(**terms), bank, clocks.turn_used + used)
    return {"used": used, "stopped": stopped, "bank": bank}


# -- how the clocks go on -------------------------------------------------------------------------


def after_move(clocks: Clocks, terms: GameSettings, event: Json, asked: int) -> Clocks:
    """Return the clocks after `move_made`; the seat `asked` is asked next, -1: none is.

    The event says what the bank is after it. Bots, stand-ins and standing answers have no clock;
    but a turn that a standing answer ends refills the bank for what its owner has used before.
    """
    seat, clock = event["seat"], event.get("clock")
    banks, turn_used, turned = clocks.banks, clocks.turn_used, clocks.turned
    ends = asked not in (seat, -1)
    bank = banks[seat]
    if clock is not None:
        bank, turn_used = clock["bank"], turn_used + clock["used"]
    elif ends and turn_used and event.get("by") == "standing_answer" and terms.pace:
        bank = refill(Pace(**terms.pace), bank, turn_used)
    if bank != banks[seat]:
        banks = put_bank(banks, seat, bank)
    if ends:
        turn_used = 0
        if seat not in turned:
            turned = (*turned, seat)
    return Clocks(
        banks, milliseconds(event["at"]), turn_used, turned, (), clocks.paused, 0, clocks.given
    )


def put_bank(banks: tuple[int, ...], seat: int, bank: int) -> tuple[int, ...]:
    """Return the banks with another bank of a seat."""
    return (*banks[:seat], bank, *banks[seat + 1 :])


def restart(clocks: Clocks, at: str) -> Clocks:
    """Return the clocks when a seat is asked by an event of this time, with a full delay."""
    return clocks._replace(since=milliseconds(at), turn_used=0, stops=(), flagged=0)
