"""The start of a game of a round: who is not there in time forfeits in the append of the start.

The rules are in `docs/living.md`, "What ends by itself".
"""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.commands.judging.endings import forfeit_absent
from cartulary.events.commands.table.creating import Creator
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.offers import Offers
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.time.silence_rules import ROUND_START_MS
from cartulary.events.model.types import GAME_STARTED, SEAT_FORFEITED, Json


class RoundStarts:
    """Starts games of rounds: a step of the commands that do so. Thread-safe."""

    def __init__(self, creator: Creator, offers: Offers) -> None:
        self._creator, self._offers = creator, offers

    def begin(self, draft: Draft) -> None:
        """Start the game of a draft; whose seats are not ready at a live table have left.

        Raises `DrawsUnavailable`.
        """
        absent = list_unready(draft.table)
        self._creator.start(draft)
        if absent and draft.table.running:
            forfeit_absent(draft, absent, self._offers)

    def begin_if_ready(self, draft: Draft) -> None:
        """Start the game of a round at which all are ready; leave any other game alone."""
        table = draft.table
        waits = table.terms.tournament is not None and table.status is Status.OPEN
        if waits and not list_unready(table):
            self.begin(draft)


def list_unready(table: Table) -> list[int]:
    """Return the seats of players who are not ready; none where no table asks who is."""
    if not table.live:
        return []
    return [n for n, seat in enumerate(table.seats) if seat.player is not None and not seat.ready]


def is_due(table: Table, now: int) -> bool:
    """Return whether a game of a round starts now, by the time in ms since the epoch."""
    return not list_unready(table) or now >= find_latest_start(table)


def find_latest_start(table: Table) -> int:
    """Return when a game of a round starts even if players are missing, in ms since the epoch."""
    return milliseconds(table.terms.created_at) + ROUND_START_MS


def list_absent(events: Sequence[Json]) -> list[int]:
    """Return the seats whose players were not there at the start, by the events of the game."""
    absent: list[int] = []
    started = False
    for event in events:
        if started and (event["type"] != SEAT_FORFEITED or event["reason"] != "left"):
            break
        if started:
            absent.append(event["seat"])
        started = started or event["type"] == GAME_STARTED
    return absent
