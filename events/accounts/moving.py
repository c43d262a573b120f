"""The seats of a guest become those of an account: what a table records of it.

Before the start a seat is left and taken again, in one append. In a running game the account takes
the seat over, with everything that belongs to the seat: no other player has to wait, and no clock
changes.
"""

from __future__ import annotations

from cartulary.events.commands.judging.endings import close_proposal
from cartulary.events.commands.table.seating import has_offer
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED, SeatOffer
from cartulary.events.model.types import (
    HOST_CHANGED,
    SEAT_DECLINED,
    SEAT_LEFT,
    SEAT_OFFERED,
    SEAT_READIED,
    SEAT_TAKEN,
    SEAT_TAKEN_OVER,
)
from cartulary.events.people.players import Player, name_of


def move_guest(draft: Draft, guest: Player, player: Player, *, welcome: bool) -> None:
    """Add what makes seats, offers and table of a guest those of a player.

    Nothing is added when the guest has none. A player who is not `welcome` (the host blocks the
    player) gets no seat of a table that waits.
    """
    table = draft.table
    if table.status is Status.OPEN:
        welcome = welcome and player.id not in table.course.removed
        _move_waiting(draft, guest, player, welcome=welcome)
    elif table.status is Status.RUNNING:
        for number in table.seats_of(guest.id):
            left = {"player": table.seats[number].player, "reason": MERGED}
            draft.add(SEAT_TAKEN_OVER, seat=number, player=name_of(player), **{"from": left})
        _close_if_joined(draft, player)
    else:
        return
    _move_offers(draft, guest, player, welcome=welcome)
    if table.course.host == guest.id:
        draft.add(HOST_CHANGED, player=name_of(player), by=guest.id)


def _close_if_joined(draft: Draft, player: Player) -> None:
    """Let the open proposal lapse when two whom it concerns are now one player.

    It would wait for a consent that the player has given by asking, or with another seat.
    """
    table, proposal = draft.table, draft.table.course.proposal
    if proposal is None:
        return
    concerned = (proposal.seat, *proposal.needs, proposal.target)
    if sum(one is not None and table.seats[one].is_held_by(player.id) for one in concerned) > 1:
        close_proposal(draft, "lapsed")


def _move_waiting(draft: Draft, guest: Player, player: Player, *, welcome: bool) -> None:
    """Move the seats at a table that waits; who sits there already needs no second seat.

    In the game of a tournament no seat becomes free: the tournament lets one of the two entries
    leave, and its seat is forfeited.
    """
    table = draft.table
    wanted = table.terms.tournament is not None or (welcome and not table.seats_of(player.id))
    for number in table.seats_of(guest.id):
        before = table.seats[number]
        draft.add(SEAT_LEFT, seat=number, player=before.player)
        if not wanted:
            continue
        added = {} if before.entropy is None else {"entropy": before.entropy}
        draft.add(SEAT_TAKEN, seat=number, player=name_of(player), **added)
        if before.ready:
            draft.add(SEAT_READIED, seat=number, ready=True)


def _move_offers(draft: Draft, guest: Player, player: Player, *, welcome: bool) -> None:
    """Move the offers of seats; who has a place at the table, or is its host, needs no offer."""
    table = draft.table
    placed = _has_place(table, player) or table.course.host == player.id
    for number, offer in _list_offers(table, guest):
        draft.add(SEAT_DECLINED, seat=number, player=offer.player)
        if not welcome or placed or table.course.host == guest.id:
            continue
        placed = True
        draft.add(
            SEAT_OFFERED,
            seat=number,
            player=name_of(player),
            by=offer.by,
            expires_at=offer.expires_at,
        )


def _has_place(table: Table, player: Player) -> bool:
    offered = any(has_offer(table, number, player.id) for number in range(len(table.seats)))
    return offered or any(seat.is_held_by(player.id) for seat in table.seats)


def _list_offers(table: Table, guest: Player) -> list[tuple[int, SeatOffer]]:
    """Return the offers to a guest, by seat."""
    return [
        (number, offer)
        for number, offer in table.open_offers.items()
        if offer.player["id"] == guest.id
    ]
