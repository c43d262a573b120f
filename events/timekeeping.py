"""Timekeeping: who is ready, who gives time to whom, and what the clock says.

The contract is sections 3 and 5 of `living.md`; `docs/living.md` retells it under "Clocks".
`Commands.time` has these commands. Pauses are proposals (`events.proposals`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cartulary.events import timing
from cartulary.events.checks import list_contending, must_be_open, must_hold, must_run, must_see
from cartulary.events.clock import Clock
from cartulary.events.drafts import Draft
from cartulary.events.endings import close_proposal
from cartulary.events.errors import Invalid
from cartulary.events.ledger import Idempotency
from cartulary.events.parts import Clocks
from cartulary.events.pausing import must_be_timed
from cartulary.events.players import Player
from cartulary.events.refusals import Untimed
from cartulary.events.seating import must_exist
from cartulary.events.table import Table
from cartulary.events.types import SEAT_READIED, TIME_GIVEN, Json, format_time
from cartulary.events.writer import Writer, Written

BANKS: Final = 3
"""A player may give so many banks of the start in all."""

Show = Callable[[Written], Written]
"""Updates the lists of games at once."""


class Timekeeping:
    """The commands about time. Thread-safe."""

    def __init__(self, writer: Writer, clock: Clock, calendar: timing.Calendar, show: Show) -> None:
        self._writer, self._clock, self._calendar = writer, clock, calendar
        self._show = show

    def ready(
        self,
        player: Player,
        game_id: str,
        seat: int,
        ready: bool,
        key: str | None = None,
        expected_version: int | None = None,
        body: Any = None,
    ) -> Written:
        """Say whether one is ready for the start of a live game; nothing when it is known.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound` (game or seat),
        `NotSeated`, `AlreadyStarted`, `GameNotRunning` (aborted), `StaleVersion`, `Untimed` (the
        table is not live).
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, player)
            must_exist(table, seat)
            must_hold(table, player, seat)
            must_be_open(table, expected_version)
            if not table.live:
                raise Untimed("only a live table asks who is ready")
            if table.seats[seat].ready != ready:
                draft.add(SEAT_READIED, seat=seat, ready=ready)

        asked = [seat, [ready, expected_version] if body is None else body]
        idempotency = Idempotency.of(player.id, key, "ready", asked)
        return self._show(self._writer.write(game_id, idempotency, decide))

    def give(
        self,
        player: Player,
        game_id: str,
        seat: int,
        seconds: int,
        key: str | None = None,
        expected_version: int | None = None,
        body: Any = None,
    ) -> Written:
        """Give time to the seat of somebody else; a flag that has fallen there is raised again.

        At most the delay of the game at once, and `BANKS` times the bank of the start in all.
        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`,
        `GameNotRunning`, `StaleVersion`, `SeatForfeited`, `Untimed`, `Invalid`.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, player)
            own = must_hold(table, player)
            must_run(table, expected_version)
            list_contending(table, own)
            must_be_timed(table)
            _must_be_giveable(table, own, seat, seconds)
            proposal = table.course.proposal
            if proposal is not None and proposal.target == seat:
                close_proposal(draft, "lapsed")
            draft.add(TIME_GIVEN, seat=seat, by=player.id, ms=1000 * seconds)

        asked = [seat, seconds, expected_version] if body is None else body
        idempotency = Idempotency.of(player.id, key, "give_time", asked)
        return self._show(self._writer.write(game_id, idempotency, decide))

    def find_deadline(self, table: Table) -> int | None:
        """Return when the time of the seat that is asked is over, as far as that is known now.

        In ms since the epoch, without grace; None when no clock runs. Raises `RedisError`.
        """
        seat = timing.find_timed_seat(table)
        if seat is None or table.clocks is None:
            return None
        stops = self._calendar.stops(table, seat, table.clocks.since, timing.FOREVER)
        return timing.deadline(table, stops)

    def describe(self, table: Table) -> Json:
        """Return what the clock of a game says now, as in the HTTP contract.

        Not a function of the stream: a vacation or an outage moves the deadline. Raises
        `RedisError`.
        """
        clocks, pace = table.clocks, timing.find_pace(table)
        if clocks is None or pace is None:
            return {"mode": None}
        now, seat = self._clock.now_ms(), timing.find_timed_seat(table)
        deadline = self.find_deadline(table)
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
