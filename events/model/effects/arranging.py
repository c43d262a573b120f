"""What the events before the start do to the seats of a table, and the offers of seats.

The rules are in `docs/living.md`, "Before the start".
"""

from __future__ import annotations

from cartulary.events.model.effects.folding import Folding, find_seat, must, put_seat
from cartulary.events.model.failures import Misfit
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Seat, SeatOffer
from cartulary.events.model.types import Json


def take_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Put a player on an open seat; on an offered seat only the player who has the offer."""
    number, seat = find_seat(table, event)
    must(seat.open, "seat", f"seat {number} is taken")
    _must_be_free_for(seat, event, number)
    return put_seat(table, number, Seat(event["player"], None, event.get("entropy")))


def _must_be_free_for(seat: Seat, event: Json, number: int) -> None:
    if seat.offer is not None and seat.offer.player["id"] != event["player"]["id"]:
        raise Misfit("seat", f"seat {number} is offered to {seat.offer.player['id']}")


def leave_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Open the seat of a player."""
    number, seat = find_seat(table, event)
    must(
        seat.player == event["player"],
        "seat",
        f"seat {number} is not the seat of {event['player']}",
    )
    return put_seat(table, number, Seat())


def offer_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Offer an open seat, or a vacant seat of a running game, to a player."""
    number, seat = find_seat(table, event)
    must(seat.offer is None, "seat", f"seat {number} is offered already")
    must(seat.open or table.vacant(number), "seat", f"seat {number} is taken")
    offer = SeatOffer(event["player"], event["by"], event["expires_at"])
    return put_seat(table, number, seat._replace(offer=offer))


def decline_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Drop the offer that a player declines."""
    number, seat = find_seat(table, event)
    must(seat.offer is not None, "seat", f"seat {number} is not offered")
    _must_be_free_for(seat, event, number)
    return put_seat(table, number, seat._replace(offer=None))


def assign_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Put a bot on an open or offered seat."""
    number, seat = find_seat(table, event)
    must(seat.open, "seat", f"seat {number} is taken")
    return put_seat(table, number, Seat(bot=event["bot"]))


def open_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Open a seat again: without its player, its bot or its offer.

    A player who was removed may not come back. In a running game only an offer can end.
    """
    number, seat = find_seat(table, event)
    was, reason = event["was"], event["reason"]
    must(_was(seat) == was, "seat", f"seat {number} is not the seat of {was}")
    must(seat.offer is not None or not table.running, "seat", "the game has started")
    if seat.offer is not None:
        return put_seat(table, number, seat._replace(offer=None))
    if reason == "removed" and seat.player is not None:
        removed = (*table.course.removed, seat.player["id"])
        table = table._replace(course=table.course._replace(removed=removed))
    return put_seat(table, number, Seat())


def _was(seat: Seat) -> Json:
    """Return who sits on a seat or has an offer of it, as `seat_opened` says it."""
    if seat.offer is not None:
        return {"player": seat.offer.player}
    return {"player": seat.player} if seat.bot is None else {"bot": seat.bot}


def drop_seats(table: Table, event: Json, _folding: Folding) -> Table:
    """Take open seats away; the others close up in their order.

    Raises `InvalidSeats` when the game is not for so few.
    """
    dropped = event["seats"]
    for number in dropped:
        must(0 <= number < len(table.seats), "seat", f"there is no seat {number}")
        must(table.seats[number].open, "seat", f"seat {number} is taken")
    kept = tuple(seat for number, seat in enumerate(table.seats) if number not in dropped)
    must(len(kept) + len(dropped) == len(table.seats), "seat", f"{dropped} names a seat twice")
    table.rules.check(len(kept), table.options)
    return table._replace(seats=kept)


def change_host(table: Table, event: Json, _folding: Folding) -> Table:
    """Let another player arrange the table."""
    return table._replace(course=table.course._replace(host=event["player"]["id"]))
