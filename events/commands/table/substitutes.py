"""Substitutes: who takes the seat that a player has left, or a bot fills, in a running game.

The rules are in `docs/living.md`, "Substitutes".
"""

from __future__ import annotations

from cartulary.events.commands.judging.checks import must_run
from cartulary.events.commands.judging.endings import close_proposal
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.seating import no_free_seat
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.clock import Clock, milliseconds
from cartulary.events.model.errors import AlreadyStarted, SeatForfeited, SeatOffered, SeatTaken
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED
from cartulary.events.model.types import SEAT_TAKEN_OVER, Json
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.people.players import Player, name_of


class Substitutes:
    """Judges who takes over a vacant seat. Thread-safe."""

    def __init__(self, clock: Clock, cooldown: LeaverCooldown) -> None:
        self._clock, self._cooldown = clock, cooldown

    def take_over(self, table: Table, draft: Draft, intent: Intent, seat: int | None) -> None:
        """Let a player take the vacant seat of a game that has started (None: the first one).

        A step of the command that takes a seat, after the checks of what may be seen. Raises
        `AlreadyStarted` (no seat is vacant), `GameNotRunning`, `StaleVersion`, `SeatTaken`,
        `SeatForfeited` (by the caller), `SeatOffered`, `RateLimited`.
        """
        vacant = _list_vacant(table, seat)
        must_run(table, intent.expected)
        number = self._choose_vacant(table, intent.who, vacant)
        self._cooldown.check(intent.who.id, table)
        before = table.seats[number]
        left: Json = {"player": before.player, "reason": before.forfeited}
        if before.bot is not None:
            left = {"bot": before.bot}
        close_proposal(draft, "lapsed")  # it does not ask the new player, who has to agree as well
        sitter = name_of(intent.who)
        draft.add(SEAT_TAKEN_OVER, seat=number, player=sitter, **{"from": left})

    def _choose_vacant(self, table: Table, player: Player, vacant: list[int]) -> int:
        """Return the vacant seat that a player gets; raises `Refused` when no seat is left."""
        if any(one.is_held_by(player.id) for one in table.seats):
            raise SeatTaken("you sit at this table already")
        if not vacant:
            raise no_free_seat(None)
        offered = [number for number in vacant if self._is_offered(table, number, player.id)]
        if offered:
            return offered[0]
        if _has_left(table, player.id):
            raise SeatForfeited("you have left this game: only an offer of the host lets you back")
        free = [number for number in vacant if not self._is_offered(table, number)]
        if not free:
            raise SeatOffered(f"seat {vacant[0]} is offered to somebody else")
        return free[0]

    def _is_offered(self, table: Table, seat: int, player_id: str | None = None) -> bool:
        """Return whether an offer of a seat holds now: to this player, or to any player."""
        offer = table.seats[seat].offer
        if offer is None or milliseconds(offer.expires_at) <= self._clock.now_ms():
            return False
        return player_id is None or bool(offer.player["id"] == player_id)


def _list_vacant(table: Table, seat: int | None) -> list[int]:
    """Return the vacant seats (`seat`: this seat only, if it is vacant).

    Raises `AlreadyStarted` where no such seat is vacant: the game takes no player, whatever version
    the caller expects. A seat that a substitute has taken is another case: it was vacant.
    """
    wanted = range(len(table.seats)) if seat is None else [seat]
    vacant = [number for number in wanted if table.vacant(number)]
    replaced = {one.seat for one in table.course.tenures if one.reason != MERGED}
    replaced |= {one.seat for one in table.course.replaced}
    if not vacant and replaced.isdisjoint(wanted):
        raise AlreadyStarted("the game has started, and no such seat is vacant")
    return vacant


def _has_left(table: Table, player_id: str) -> bool:
    """Return whether a player has left a seat of this game for good."""
    owned = bool(table.seats_of(player_id))
    return owned or any(one.player["id"] == player_id for one in table.course.tenures)
