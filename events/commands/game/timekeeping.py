"""Timekeeping: who is ready, who gives time to whom, and what the clock says.

The rules are in `docs/living.md`, "Clocks".
`Commands.time` has these commands. Pauses are proposals (`events.commands.game.proposals`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cartulary.events.commands.game.pausing import must_be_timed
from cartulary.events.commands.judging.checks import (
    list_contending,
    must_be_of_no_round,
    must_be_open,
    must_hold,
    must_run,
    must_see,
)
from cartulary.events.commands.judging.endings import close_proposal
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.seating import must_exist
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid, RatedGame, Untimed
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks
from cartulary.events.model.time import timing
from cartulary.events.model.types import SEAT_READIED, TIME_GIVEN, Json

BANKS: Final = 3
"""A player may give so many banks of the start in all."""

Show = Callable[[Written], Written]
"""Updates the lists of games at once."""


class Timekeeping:
    """The commands about time. Thread-safe."""

    def __init__(
        self,
        writer: EventWriter,
        clock: Clock,
        calendar: timing.ClockStops,
        show: Show,
        begin: Callable[[Draft], None],
    ) -> None:
        """Keep time with these parts; `begin` starts a game of a round at which all are ready."""
        self._writer, self._clock, self._calendar = writer, clock, calendar
        self._show, self._begin = show, begin

    def ready(self, intent: Intent, game_id: str, seat: int, ready: bool) -> Written:
        """Say whether one is ready for the start of a live game; nothing when it is known.

        The last one who is ready starts the game of a round.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound` (game or seat),
        `NotSeated`, `AlreadyStarted`, `GameNotRunning` (aborted), `StaleVersion`, `Untimed` (the
        table is not live).
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            must_exist(table, seat)
            must_hold(table, intent.who, seat)
            must_be_open(table, intent.expected)
            if not table.live:
                raise Untimed("only a live table asks who is ready")
            if table.seats[seat].ready != ready:
                draft.add(SEAT_READIED, seat=seat, ready=ready)
                self._begin(draft)

        body = [seat, intent.get_body([ready, intent.expected])]
        idempotency = intent.identify("ready", body)
        return self._show(self._writer.write(game_id, idempotency, decide))

    def give(self, intent: Intent, game_id: str, seat: int, seconds: int) -> Written:
        """Give time to the seat of another player; a flag that has fallen there is raised again.

        At most the delay of the game at once, and `BANKS` times the bank of the start in all.
        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`,
        `GameNotRunning`, `StaleVersion`, `SeatForfeited`, `Untimed`, `RatedGame`, `Invalid`.
        """

        def decide(table: Table, draft: Draft) -> None:
            own = must_hold(table, intent.who)
            must_run(table, intent.expected)
            list_contending(table, own)
            must_be_timed(table)
            must_be_of_no_round(table, "no player gives time to another")
            if table.terms.rated:
                raise RatedGame("in a rated game no player gives time to another")
            _must_be_giveable(table, own, seat, seconds)
            proposal = table.course.proposal
            if proposal is not None and proposal.target == seat:
                close_proposal(draft, "lapsed")
            draft.add(TIME_GIVEN, seat=seat, by=intent.who.id, ms=1000 * seconds)

        body = intent.get_body([seat, seconds, intent.expected])
        idempotency = intent.identify("give_time", body)
        return self._show(self._writer.write(game_id, idempotency, decide))

    def describe(self, table: Table) -> Json:
        """Return what the clock of a game says now, as in the HTTP contract.

        Not a function of the stream: a vacation or an outage moves the deadline. Raises
        `RedisError`.
        """
        clocks, pace = table.clocks, timing.find_pace(table)
        if clocks is None or pace is None:
            return {"mode": None}
        now, seat = self._clock.now_ms(), timing.find_timed_seat(table)
        deadline = timing.find_deadline(table, self._calendar)
        return {
            "mode": pace.mode,
            "seat": seat,
            "since": None if seat is None else format_time(clocks.since),
            "turn_used": clocks.turn_used,
            "banks": list(clocks.banks),
            "deadline_at": None if deadline is None else format_time(deadline),
            "stopped_by": self._find_reason(table, clocks, seat, now),
            "overdue": table.overdue,
            "now": format_time(now),
        }

    def _find_reason(self, table: Table, clocks: Clocks, seat: int | None, now: int) -> str | None:
        """Return what stops the clock of a seat, None: it runs, or there is no such seat."""
        if seat is None:
            return None
        if clocks.paused is not None and clocks.paused[0] <= now < clocks.paused[1]:
            return "pause"
        return self._calendar.find_reason(table, seat, now)


def find_giveable(table: Table, own: list[int]) -> int:
    """Return how many seconds the player of these seats may still give at a timed table."""
    pace = timing.find_pace(table)
    if pace is None or table.clocks is None:
        return 0
    given = sum(ms for giver, ms in table.clocks.given if giver in own)
    return min(pace.delay, BANKS * pace.bank - given // 1000)


def _must_be_giveable(table: Table, own: list[int], seat: int, seconds: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Invalid([("/seat", f"there is no seat {seat}")])
    if seat in own:
        raise Invalid([("/seat", "this seat is yours: only others give you time")])
    if table.seats[seat].player is None or not table.seats[seat].contending:
        raise Invalid([("/seat", "no player with a clock has this seat")])
    most = find_giveable(table, own)
    if not 1 <= seconds <= most:
        raise Invalid([("/seconds", f"you may give at most {most} seconds now")])
