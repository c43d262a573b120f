"""What the audit asks of the clocks of a timed game: does each event follow? Pure.

The word of the audit is `clock`. What stopped a clock without an event (an outage, a vacation) is
not known any more, but what was charged and what was not are together the time since the seat was
asked, and the bank follows from what was charged. The rules are in `docs/living.md`, "Clocks".
"""

from __future__ import annotations

from collections.abc import Iterator

from cartulary.events.commands.game.pausing import LONGEST_MS
from cartulary.events.commands.game.takebacks import is_alone
from cartulary.events.commands.game.timekeeping import find_giveable
from cartulary.events.ledger.drafts import PATIENCE_MS
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks
from cartulary.events.model.time import timing
from cartulary.events.model.time.recharging import Mark, find_takeback_faults, make_mark
from cartulary.events.model.types import (
    GAME_PAUSED,
    MOVE_MADE,
    MOVES_TAKEN_BACK,
    TIME_GIVEN,
    TURN_TIMED_OUT,
    Json,
)

Fault = tuple[str, str]
"""The word of the audit, and what should have been."""


class ClockAudit:
    """Follows the clocks of one stream; takes its events in order."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def faults(self, before: Table | None, after: Table, event: Json) -> Iterator[Fault]:
        """Take an event that has been folded; yield what is wrong with its time."""
        if before is not None and before.play is not None:
            for detail in self._find(before, after, event):
                yield "clock", detail
        if after.clocks is not None:
            self._marks.append(make_mark(after, event))

    def _find(self, before: Table, after: Table, event: Json) -> Iterator[str]:
        if event["type"] != MOVES_TAKEN_BACK:
            yield from _faults(before, after, event)
        elif "clock" in event:
            yield from self._faults_of_takeback(before, event)

    def _faults_of_takeback(self, before: Table, event: Json) -> Iterator[str]:
        owner = before.seats[event["seat"]].player
        if event["proposal"] is not None or owner is None or is_alone(before, owner["id"]):
            yield "this takeback costs nothing"
            return
        marks = self._marks[event["to_version"] - 1 :]
        yield from find_takeback_faults(before, owner["id"], marks, event, PATIENCE_MS)


def _faults(before: Table, after: Table, event: Json) -> Iterator[str]:
    if event["type"] == MOVE_MADE:
        if before.clocks is not None or "clock" in event:
            yield from _faults_of_move(before, after, event)
    elif event["type"] == TURN_TIMED_OUT:
        yield from _faults_of_flag(before, event)
    elif event["type"] == TIME_GIVEN:
        most = 1000 * find_giveable(before, before.seats_of(event["by"]))
        if event["ms"] > most:
            yield f"the player may give {most} ms at most"
    elif event["type"] == GAME_PAUSED and _measure_pause(event) > LONGEST_MS:
        yield "the pause is too long"


def _measure_pause(event: Json) -> int:
    return milliseconds(event["until"]) - milliseconds(event["at"])


def _faults_of_move(before: Table, after: Table, event: Json) -> Iterator[str]:
    clock, seat = event.get("clock"), event["seat"]
    charged = timing.find_timed_seat(before) == seat and "by" not in event
    if charged != (clock is not None):
        yield f"seat {seat} has {'a' if charged else 'no'} clock here"
    if clock is None or not charged or before.clocks is None or after.play is None:
        return
    yield from _faults_of_span(before.clocks, event)
    expected = timing.describe_charge(before, _charge_again(before, event), after.play.state.seat)
    if clock["bank"] != expected["bank"]:
        yield f"the bank is {expected['bank']} ms after it, not {clock['bank']}"


def _faults_of_flag(before: Table, event: Json) -> Iterator[str]:
    clocks, pace = before.clocks, timing.find_pace(before)
    if clocks is None or pace is None:
        return  # the fold refuses the event
    yield from _faults_of_span(clocks, event)
    seat, clock = event["seat"], event["clock"]
    left = max(0, timing.find_delay(clocks, pace, seat) - clocks.turn_used) + clocks.banks[seat]
    if clock["used"] < left:
        yield f"the flag fell {left - clock['used']} ms too early"
    if clock["bank"] != 0:
        yield f"the bank is empty after it, not {clock['bank']} ms"


def _charge_again(before: Table, event: Json) -> timing.Charge:
    """Return the charge of a move, with the bank that follows from what was charged."""
    clocks, pace = before.clocks, timing.find_pace(before)
    assert clocks is not None
    assert pace is not None
    seat, used = event["seat"], event["clock"]["used"]
    over = timing.find_over(clocks, timing.find_delay(clocks, pace, seat), used)
    return timing.Charge(used, event["clock"]["stopped"], max(0, clocks.banks[seat] - over))


def _faults_of_span(clocks: Clocks, event: Json) -> Iterator[str]:
    """Yield a fault where the times of a clock do not make the time since the seat was asked."""
    used, stopped = event["clock"]["used"], event["clock"]["stopped"]
    span = milliseconds(event["at"]) - clocks.since
    if min(used, stopped) < 0 or abs(used + stopped - span) > PATIENCE_MS:
        yield f"used {used} ms and stopped {stopped} ms are not the {span} ms since the question"
