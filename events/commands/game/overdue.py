"""Who may be claimed, from when on, and what the others may do then.

The rules are in `docs/living.md`, "A player who does not answer". In an untimed game the seat that
is asked is overdue after 14 days of silence. In a timed game it is overdue when its flag has
fallen; a live game may claim a player who is not there earlier, but then only a stand-in answers,
because it is not certain that the player is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from cartulary.events.commands.game.timeouts import Timeouts
from cartulary.events.model.clock import Clock, milliseconds
from cartulary.events.model.errors import NotOverdue
from cartulary.events.model.table import Table
from cartulary.events.model.time.intervals import find_end
from cartulary.events.model.time.silence_rules import SILENT_MS
from cartulary.events.model.time.timing import find_pace
from cartulary.events.time.rules_since import RulesSince

REMEDIES: Final = ("stand_in", "forfeit", "abort")
"""What may be claimed for a seat whose owner is silent for too long."""

ABSENT_MS: Final = 120_000
"""A player of a live game who is asked and shows no sign of life for so long is absent."""

LastSeen = Callable[[str], int | None]
"""Returns when a player was last seen (ms since the epoch), None when it is unknown."""


class Claimable(NamedTuple):
    """A seat that may be claimed from `at` on (ms since the epoch), with the `remedies`.

    `reason` is what `stand_in_seated` says: `timed_out`, or `absent`.
    """

    seat: int
    at: int
    remedies: tuple[str, ...] = REMEDIES
    reason: str = "timed_out"


class OverduePlayers:
    """Finds out who may be claimed. Thread-safe.

    `last_seen` tells who is there; without it no player is absent.
    """

    def __init__(
        self,
        clock: Clock,
        since: RulesSince,
        timeouts: Timeouts,
        last_seen: LastSeen | None = None,
    ) -> None:
        self._clock, self._since, self._timeouts = clock, since, timeouts
        self.last_seen = last_seen

    def find(self, table: Table) -> Claimable | None:
        """Return the seat that may be claimed, now or later; None when no answer is missing.

        A seat that was claimed may be claimed again, whatever became of the claim, until it is
        answered for. Raises `RedisError`.
        """
        seat = find_silent_seat(table)
        if seat is None:
            return None
        if table.clocks is None:
            return self._find_untimed(table, seat)
        if table.overdue:
            return Claimable(seat, table.clocks.since)
        return self._find_timed(table, seat, table.clocks.since)

    def _find_untimed(self, table: Table, seat: int) -> Claimable:
        silent_since = milliseconds(table.updated_at)
        if table.course.claimed == table.position:
            return Claimable(seat, silent_since)
        return Claimable(seat, max(self._since.read(), silent_since) + SILENT_MS)

    def _find_timed(self, table: Table, seat: int, asked_since: int) -> Claimable | None:
        fall = self._timeouts.find_fall(table)
        if fall is None:
            return None
        if self._clock.now_ms() < fall and (absent := self._find_absent(table, seat, asked_since)):
            return absent if absent.at < fall else Claimable(seat, fall)
        return Claimable(seat, fall)

    def _find_absent(self, table: Table, seat: int, asked_since: int) -> Claimable | None:
        """Return from when on the player who is asked in a live game counts as absent."""
        pace, owner = find_pace(table), table.seats[seat].player
        if self.last_seen is None or pace is None or not pace.live or owner is None:
            return None
        if table.clocks is not None and table.clocks.paused is not None:
            return None
        silent_since = max(asked_since, self.last_seen(owner["id"]) or 0)
        at = find_end(silent_since, ABSENT_MS, self._timeouts.list_stops(table))
        return Claimable(seat, at, ("stand_in",), "absent")

    def must_be_overdue(self, table: Table, seat: int, remedy: str) -> Claimable:
        """Return what may be claimed for a seat now. Raises `NotOverdue`, `RedisError`."""
        found = self.find(table)
        if found is None or found.seat != seat:
            raise NotOverdue(seat)
        if self._clock.now_ms() < found.at:
            raise NotOverdue(seat, found.at)
        if remedy not in found.remedies:
            raise NotOverdue(seat, self._timeouts.find_fall(table))
        return found


def find_silent_seat(table: Table) -> int | None:
    """Return the seat whose player is asked, None when a bot or no seat is asked."""
    decision = table.decision
    if decision is None:
        return None
    seat = table.seats[decision.seat]
    if seat.player is None or seat.answering_bot is not None or not seat.contending:
        return None
    return decision.seat
