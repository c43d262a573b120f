"""Expiry: what ends by itself because nobody has done anything for long enough.

One command judges a game with the clock: which of its timers (`events.due`) are over? The
dispatcher calls the command when a timer of the game is due. It may come early, late or twice: the
table and the clock decide, and the append decides between two processes.
"""

from __future__ import annotations

from cartulary.events.ages import UNSEEN_MS, UNTOUCHED_MS, Looks, RulesSince
from cartulary.events.clock import Clock
from cartulary.events.drafts import Draft
from cartulary.events.draws import Draws
from cartulary.events.due import find_work, list_timers
from cartulary.events.endings import abort_game, close_proposal, end_play
from cartulary.events.inviting import open_expired
from cartulary.events.projections import Projections
from cartulary.events.table import Table
from cartulary.events.types import milliseconds
from cartulary.events.writer import Writer, Written


class Expiry:
    """The command of the timers. Thread-safe."""

    def __init__(
        self,
        writer: Writer,
        projections: Projections,
        draws: Draws,
        clock: Clock,
        since: RulesSince,
        looks: Looks,
    ) -> None:
        self._writer, self._projections, self._draws = writer, projections, draws
        self._clock, self._since, self._looks = clock, since, looks

    def expire(self, game_id: str) -> Written:
        """End what has lasted too long in a game; else do nothing.

        A game that nobody has touched, but that somebody looks at, is looked at again later. Raises
        `NotFound`, `BrokenHistory`, `WrongKey`, `StaleVersion` when others are always faster.
        """
        later: dict[str, int] = {}

        def decide(table: Table, draft: Draft) -> None:
            later.clear()
            over = self._find_over(table)
            if "untouched" in over and (at := self._find_later(table)) is not None:
                over.remove("untouched")
                later[table.id] = at
            self._end(draft, over)

        done = self._writer.write(game_id, None, decide)
        if not done.events and game_id in later and find_work(done.table) is None:
            self._projections.apply(done.table, later[game_id])
        return done

    def _find_over(self, table: Table) -> list[str]:
        now = self._clock.now_ms()
        timers = list_timers(table, self._since.read())
        return [one.kind for one in timers if one.at <= now]

    def _find_later(self, table: Table) -> int | None:
        """Return when an untouched game may end, None for now: nobody has looked for long."""
        seen = self._looks.read(table.id)
        at = max(seen + UNSEEN_MS, milliseconds(table.updated_at) + UNTOUCHED_MS)
        return at if at > self._clock.now_ms() else None

    def _end(self, draft: Draft, over: list[str]) -> None:
        """Add the events of all timers that are over; the end of a game ends the others as well."""
        if "unstarted" in over:
            abort_game(draft, self._draws, "unstarted")
        elif "untouched" in over:
            abort_game(draft, self._draws, "empty")
        elif "resting" in over:
            self._end_resting(draft)
        else:
            if "proposal" in over:
                close_proposal(draft, "expired")
            if "offer" in over:
                open_expired(draft)

    def _end_resting(self, draft: Draft) -> None:
        """End a game at which nobody is left: with a result when somebody has forfeited."""
        if any(seat.forfeited for seat in draft.table.seats):
            end_play(draft, "forfeits")
        else:
            abort_game(draft, self._draws, "empty")
