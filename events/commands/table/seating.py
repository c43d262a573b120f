"""Seats: which seat a player gets, what gives way on a seat, and who may change it.

The checks raise a `Refused` of `events.model.errors`, or return.
"""

from __future__ import annotations

from typing import Any

from cartulary.engine.errors import InvalidOption, InvalidSeats
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.errors import (
    GameNotRunning,
    Invalid,
    NotFound,
    NotHost,
    NotReady,
    SeatOffered,
    SeatsOpen,
    SeatTaken,
    StaleVersion,
)
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.types import SEAT_DECLINED, SEAT_OPENED
from cartulary.events.people.players import Player


def choose_seat(table: Table, player: Player, seat: int | None) -> int:
    """Return the seat that a player takes; raises `SeatTaken`, `SeatOffered`."""
    if table.seats_of(player.id):
        raise SeatTaken("you sit at this table already")
    free = [number for number, one in enumerate(table.seats) if one.open]
    if seat is not None and seat not in free:
        raise no_free_seat(seat)
    if not free:
        raise no_free_seat(None)
    # One's own offer first: on another seat the offer would stay unused.
    mine = [number for number in free if has_offer(table, number, player.id)]
    for number in [*mine, *free] if seat is None else [seat]:
        if table.seats[number].offer is None or number in mine:
            return number
    raise SeatOffered("the seat is offered to another player")


def no_free_seat(seat: int | None) -> SeatTaken:
    """Return the refusal of a seat (None: any), also to a player whom the host blocks.

    The words are the same, so that no player learns of a block.
    """
    if seat is None:
        return SeatTaken("no seat is free for you")
    return SeatTaken(f"seat {seat} is not free for you")


def has_offer(table: Table, seat: int, player_id: str) -> bool:
    """Return whether a seat is offered to this player."""
    offer = table.seats[seat].offer
    return offer is not None and offer.player["id"] == player_id


def decline_all(draft: Draft, player: Player, but: int) -> None:
    """Decline the offers of a player for other seats than the one that the player takes."""
    for number, one in enumerate(draft.table.seats):
        if number != but and one.offer is not None and one.offer.player["id"] == player.id:
            draft.add(SEAT_DECLINED, seat=number, player=one.offer.player)


def open_seat(table: Table, draft: Draft, player: Player, seat: int) -> None:
    """Open a seat: remove the player or the bot, or withdraw the offer."""
    sitter = table.seats[seat].player
    if sitter is None or table.status is Status.RUNNING:
        clear_seat(table, draft, player, seat)
        return
    if sitter["id"] == player.id:
        raise Invalid([("/kind", "this seat is yours: leave it with DELETE")])
    for number in table.seats_of(sitter["id"]):
        add_opened(draft, number, {"player": sitter}, player, "removed")


def clear_seat(table: Table, draft: Draft, player: Player, seat: int) -> None:
    """Take a bot or an offer away from a seat."""
    before = table.seats[seat]
    if before.bot is not None and table.status is Status.OPEN:
        add_opened(draft, seat, {"bot": before.bot}, player, "changed")
    elif before.offer is not None:
        add_opened(draft, seat, {"player": before.offer.player}, player, "offer_withdrawn")


def add_opened(draft: Draft, seat: int, was: dict[str, Any], by: Player, reason: str) -> None:
    """Add that a seat is open again, or that its offer has ended."""
    draft.add(SEAT_OPENED, seat=seat, was=was, by=by.id, reason=reason)


def next_person(table: Table, seat: int) -> dict[str, Any]:
    """Return the next person after a seat, around the table; there must be one."""
    around = (*table.seats[seat + 1 :], *table.seats[: seat + 1])
    return next(one.player for one in around if one.player is not None and is_person(one.player))


def must_do_without(table: Table, empty: list[int], drop: bool) -> None:
    """Raise `SeatsOpen` unless these seats may be dropped, and the game can be played then."""
    if not drop:
        raise SeatsOpen(f"{len(empty)} of the seats are open; drop them, or wait")
    try:
        table.rules.check(len(table.seats) - len(empty), table.options)
    except (InvalidSeats, InvalidOption) as error:
        raise SeatsOpen(f"without the open seats: {error}") from error


def must_exist(table: Table, seat: int) -> None:
    """Raise `NotFound` for a seat that the table does not have."""
    if not 0 <= seat < len(table.seats):
        raise NotFound(f"there is no seat {seat}")


def must_be_host(table: Table, player: Player) -> None:
    """Raise `NotHost` unless this player is the host."""
    if table.course.host != player.id:
        raise NotHost


def must_be_ready(table: Table) -> None:
    """Raise `NotReady` when a player at a live table is not ready for the start."""
    if table.live:
        late = [n for n, seat in enumerate(table.seats) if seat.player and not seat.ready]
        if late:
            raise NotReady(late)


def must_not_sit(table: Table, seat: int) -> None:
    """Raise `SeatTaken` when a player sits there."""
    if table.seats[seat].player is not None:
        raise SeatTaken(f"a player sits on seat {seat}; open the seat first")


def must_have_no_place(table: Table, guest: Player) -> None:
    """Raise `Invalid` when a guest sits at the table, or has an offer for another seat."""
    offered = any(has_offer(table, number, guest.id) for number in range(len(table.seats)))
    held = [number for number in table.seats_of(guest.id) if table.seats[number].contending]
    if offered or held:
        raise Invalid([("/player", "this player sits at the table or has an offer already")])


def must_be_at(table: Table, expected_version: int | None) -> None:
    """Raise unless the game goes on and is at the expected version (None: any)."""
    if table.status not in (Status.OPEN, Status.RUNNING):
        raise GameNotRunning(table.status)
    if expected_version not in (None, table.version):
        raise StaleVersion(table.version)
