"""News of clocks: a deadline that moves without an event is published to those who watch the game.

A vacation moves deadlines, and no event says so. The turns of the player get their new place in the
list of turns, and the streams that ask for it get the signal `clock`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import orjson

from cartulary.events.commands.game.timekeeping import Timekeeping
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.projections import Projections
from cartulary.events.lists.turns import Turns
from cartulary.events.live.signals import Signals
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.time.intervals import Interval, Intervals
from cartulary.events.time.calendar import Calendar
from cartulary.events.time.vacations import NOTICED_MS, Vacations

log = logging.getLogger(__name__)


class ClockNews:
    """Publishes deadlines that have moved. Thread-safe."""

    def __init__(
        self,
        projector: Projector,
        projections: Projections,
        calendar: Calendar,
        turns: Turns,
        signals: Signals,
        time: Timekeeping,
        vacations: Vacations,
        clock: Clock,
    ) -> None:
        self._vacations, self._clock = vacations, clock
        self._projector, self._projections = projector, projections
        self._calendar, self._turns = calendar, turns
        self._signals, self._time = signals, time

    def change_vacations(self, player_id: str, spans: Sequence[Interval]) -> Intervals:
        """Replace the vacations of a player that lie ahead, and publish what they move.

        Returns and raises what `Vacations.change` does.
        """
        before = self._vacations.read(player_id)
        found = self._vacations.change(player_id, spans)
        if found != before:
            self._follow(player_id, self._clock.now_ms() + NOTICED_MS)
        return found

    def _follow(self, player_id: str, at: int) -> None:
        """Judge the timers of a player again at `at` (ms), and publish the deadlines of now."""
        self._projections.look_at_all(player_id, at)
        self._calendar.read_again(player_id)
        for turn in self._turns.list(player_id):
            try:
                table = self._projector.table(turn.game)
            except LedgerError as error:
                log.warning("the clock of game %s is not published: %s", turn.game, error)
                continue
            if table.clocks is not None:
                self._projections.place_turn(table)
                shown = orjson.dumps(self._time.describe(table))
                self._signals.publish_to_game(turn.game, "clock", shown)
