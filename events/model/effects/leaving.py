"""What the events of owners who go and come do to the seats of a running game.

The rules are in `docs/living.md`, "People who leave".
"""

from __future__ import annotations

from cartulary.events.model.effects.clocks import ask_again
from cartulary.events.model.effects.folding import Folding, find_seat, must, put_seat
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED, Progress, Replaced, Seat, Tenure
from cartulary.events.model.types import Json


def forfeit_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Put the owner of a seat out for good; the stand-in, if any, plays on."""
    number, seat = find_seat(table, event)
    _must_be_held(seat, event, number)
    after = seat._replace(
        stand_in=event["stand_in"],
        away=None,
        forfeited=event["reason"],
        early=event["reason"] == "left" and not table.everybody_has_answered,
        offer=None,
    )
    return put_seat(_end_run(_note_left(table, number), number), number, after)


def seat_stand_in(table: Table, event: Json, _folding: Folding) -> Table:
    """Let a bot answer for an owner, who may come back."""
    number, seat = find_seat(table, event)
    must(seat.player is not None and seat.contending, "seat", f"seat {number} has no owner")
    must(seat.away is None, "seat", f"the owner of seat {number} is away already")
    after = seat._replace(stand_in=event["bot"], away=event["reason"])
    return put_seat(_note_left(table, number), number, after)


def return_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Let the owner of a seat answer again, instead of the stand-in."""
    number, seat = find_seat(table, event)
    _must_be_held(seat, event, number)
    must(seat.away is not None, "seat", f"the owner of seat {number} is not away")
    after = seat._replace(stand_in=None, away=None, returns=seat.returns + 1)
    return put_seat(ask_again(_note_back(table, number), number, event), number, after)


def take_over_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Give a vacant seat, or that of a guest, to another player; keep the earlier owner as well.

    While the seat is offered, only the player who has the offer may take it over. An offer that has
    expired holds no player up: the time of the event says whether it has.
    """
    number, seat = find_seat(table, event)
    before, left = seat.player, event["from"]
    if left.get("reason") == MERGED:
        return _merge_seat(table, event, number, seat)
    must(table.vacant(number), "seat", f"seat {number} is not vacant")
    if seat.bot is not None:
        return _take_seat_of_bot(table, event, number, seat)
    assert before is not None
    found = {"player": before, "reason": seat.forfeited}
    must(left == found, "seat", f"seat {number} was left by {found}, not by {left}")
    _must_be_substitute(seat, event, number)
    course = _note_back(table, number).course
    tenure = Tenure(number, before, left["reason"], event["version"])
    course = course._replace(tenures=(*course.tenures, tenure))
    table = ask_again(_end_run(table._replace(course=course), number), number, event)
    return put_seat(table, number, Seat(event["player"]))


def _take_seat_of_bot(table: Table, event: Json, number: int, seat: Seat) -> Table:
    """Give the seat that a bot has filled to a player."""
    assert seat.bot is not None
    found, left = {"bot": seat.bot}, event["from"]
    must(left == found, "seat", f"seat {number} was left by {found}, not by {left}")
    _must_be_substitute(seat, event, number)
    replaced = Replaced(number, seat.bot, event["version"])
    course = table.course._replace(replaced=(*table.course.replaced, replaced), claimed=0)
    table = ask_again(table._replace(course=course), number, event)
    return put_seat(table, number, Seat(event["player"]))


def _merge_seat(table: Table, event: Json, number: int, seat: Seat) -> Table:
    """Give the seat of a guest to the account that the guest has become.

    It is the same person: nothing else changes, neither clock nor absence nor loss.
    """
    before, after = event["from"]["player"], event["player"]
    must(seat.player == before, "seat", f"seat {number} is not the seat of {before}")
    must(before["id"] != after["id"], "seat", "nobody merges with oneself")
    tenure = Tenure(number, before, MERGED, event["version"])
    course = table.course._replace(tenures=(*table.course.tenures, tenure))
    return put_seat(table._replace(course=course), number, seat._replace(player=after))


def _must_be_substitute(seat: Seat, event: Json, number: int) -> None:
    """Raise `Misfit` for a player whom the offer of a seat, or the own leaving, keeps away."""
    offer, player = seat.offer, event["player"]["id"]
    if offer is not None and offer.player["id"] == player:
        return
    open_to_all = offer is None or offer.expires_at <= event["at"]
    must(open_to_all, "seat", f"seat {number} is offered to somebody else")
    left = seat.player is not None and seat.player["id"] == player
    must(not left, "seat", "the player has forfeited this seat")


def _must_be_held(seat: Seat, event: Json, number: int) -> None:
    held = seat.player == event["player"] and seat.contending
    must(held, "seat", f"seat {number} is not the seat of {event['player']}")


def _end_run(table: Table, number: int) -> Table:
    """Let the moves of an owner who is out stay: no player may take them back alone."""
    run = table.life.run
    if run is None or run.seat != number:
        return table
    return table._replace(life=table.life._replace(run=None))


def _note_left(table: Table, number: int) -> Table:
    """Note that the owner of a seat is the last who has left."""
    course = table.course
    left = (*(seat for seat in course.left if seat != number), number)
    return table._replace(course=course._replace(left=left))


def _note_back(table: Table, number: int) -> Table:
    """Note that a player or a bot answers for a seat again, and has the whole time for it."""
    course: Progress = table.course
    left = tuple(seat for seat in course.left if seat != number)
    is_asked = table.play is not None and table.play.state.seat == number
    claimed = 0 if is_asked else course.claimed
    return table._replace(course=course._replace(left=left, claimed=claimed))
