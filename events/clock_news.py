"""News of clocks: a deadline that moves without an event is published to those who watch the game.

A vacation moves deadlines, and no event says so. The turns of the player get their new place in the
list of turns, and the streams that ask for it get the signal `clock`.
"""

from __future__ import annotations

import logging

import orjson

from cartulary.events.calendar import Calendar
from cartulary.events.errors import LedgerError
from cartulary.events.projections import Projections
from cartulary.events.projector import Projector
from cartulary.events.signals import Signals
from cartulary.events.timekeeping import Timekeeping
from cartulary.events.turns import Turns

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
    ) -> None:
        self._projector, self._projections = projector, projections
        self._calendar, self._turns = calendar, turns
        self._signals, self._time = signals, time

    def follow_vacations(self, player_id: str, at: int) -> None:
        """Follow a change of the vacations of a player; their timers are judged again at `at` (ms).

        Raises `RedisError`.
        """
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
