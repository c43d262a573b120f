"""Expiry: what ends by itself because no player has done anything for long enough.

One command judges a game with the clock: which of its timers (`events.model.time.due`) are over?
The dispatcher calls the command when a timer of the game is due. It may come early, late or twice:
the table, the clock and the calendar decide, and the append decides between two processes.
"""

from __future__ import annotations

from collections.abc import Callable

from cartulary.events.commands.game.pausing import resume
from cartulary.events.commands.game.timeouts import Timeouts
from cartulary.events.commands.judging.endings import abort_game, close_proposal, end_play
from cartulary.events.commands.table.inviting import open_expired
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.inbox_items import list_warnings
from cartulary.events.lists.projections import Projections
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.table import Table
from cartulary.events.model.time.due import DueTime, find_work, list_timers
from cartulary.events.model.time.silence_rules import UNSEEN_MS, WARNED_MS
from cartulary.events.time.looks import Looks
from cartulary.events.time.rules_since import RulesSince

AGAIN_MS = 60_000
"""A flag that is due while no web process works is judged again so much later: the outage that is
noted when the service is back lasts longer."""


class Expiry:
    """The command of the timers. Thread-safe."""

    def __init__(
        self,
        writer: EventWriter,
        projections: Projections,
        draws: Draws,
        clock: Clock,
        since: RulesSince,
        looks: Looks,
        timeouts: Timeouts,
        inbox: Inbox,
        begin: Callable[[Draft], None],
    ) -> None:
        """Judge with these parts; `begin` adds the start of a game of a round to a draft."""
        self._writer, self._projections, self._draws = writer, projections, draws
        self._clock, self._since, self._looks = clock, since, looks
        self._timeouts, self._inbox, self._begin = timeouts, inbox, begin

    def expire(self, game_id: str) -> Written:
        """End what has lasted too long in a game; else do nothing.

        What is not over yet, although the events alone say so, is judged again later: a game that
        a person looks at, a clock that a vacation or an outage has stopped. Raises `NotFound`,
        `BrokenHistory`, `DrawsUnavailable`, `StaleVersion` when others are always faster.
        """
        later: list[DueTime] = []
        over: list[str] = []

        def decide(table: Table, draft: Draft) -> None:
            later[:], over[:] = self._sort(table)
            self._end(draft, over)

        done = self._writer.write(game_id, None, decide)
        self._timeouts.count(done)
        if not done.events:
            if "warning" in over:
                self._warn(done.table, later)
            waits = find_work(done.table) is None
            self._projections.apply(done.table, min(later, key=_at) if waits and later else None)
        return done

    def _sort(self, table: Table) -> tuple[list[DueTime], list[str]]:
        """Return the timers to judge later, and those that are over, by the clock and calendar."""
        now = self._clock.now_ms()
        later: list[DueTime] = []
        over: list[str] = []
        for one in list_timers(table, self._since.read()):
            at = one.at if one.at > now else self._find_later(table, one, now)
            if at is None:
                over.append(one.kind)
            else:
                later.append(one._replace(at=at))
        return later, over

    def _warn(self, table: Table, later: list[DueTime]) -> None:
        """Tell people that a game ends; an item that an inbox has already is dropped there."""
        end = next((one.at for one in later if one.kind in ("unstarted", "untouched")), None)
        if end is None:
            return
        if table.running:
            end = max(end, self._looks.read(table.id) + UNSEEN_MS)
        for player_id, item in list_warnings(table, end, format_time(self._clock.now_ms())):
            self._inbox.add(player_id, [item])

    def _find_later(self, table: Table, timer: DueTime, now: int) -> int | None:
        """Return when a timer is over that is over by the events alone, None for now."""
        if timer.kind == "untouched" or (timer.kind == "warning" and table.running):
            before = WARNED_MS if timer.kind == "warning" else 0
            at = max(self._looks.read(table.id) + UNSEEN_MS - before, timer.at)
            return at if at > now else None
        if timer.kind == "flag" and not self._timeouts.is_over(table):
            fall = self._timeouts.find_fall(table) or 0
            return fall if fall > now else now + AGAIN_MS
        if timer.kind == "late_bot" and not self._timeouts.is_bot_late(table):
            end = self._timeouts.find_end_of_bot(table) or 0
            return end if end > now else now + AGAIN_MS
        return None

    def _end(self, draft: Draft, over: list[str]) -> None:
        """Add the events of all timers that are over; the end of a game ends the others as well."""
        if "round_start" in over:
            self._begin(draft)
        elif "unstarted" in over:
            abort_game(draft, self._draws, "unstarted")
        elif "untouched" in over:
            abort_game(draft, self._draws, "empty")
        elif "resting" in over:
            self._end_resting(draft)
        else:
            self._end_parts(draft, over)

    def _end_parts(self, draft: Draft, over: list[str]) -> None:
        """Add the events of timers after which the game goes on, or may go on."""
        if "pause" in over:
            resume(draft, "due")
        if "proposal" in over:
            close_proposal(draft, "expired")
        if "offer" in over:
            open_expired(draft)
        if "flag" in over:
            self._timeouts.drop_flag(draft)
        if "late_bot" in over:
            self._timeouts.replace_late_bot(draft)

    def _end_resting(self, draft: Draft) -> None:
        """End a game at which no person is left: with a result when a player has forfeited."""
        if any(seat.forfeited for seat in draft.table.seats):
            end_play(draft, "forfeits")
        else:
            abort_game(draft, self._draws, "empty")


def _at(timer: DueTime) -> int:
    return timer.at
