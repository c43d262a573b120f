"""Seats: sit down, leave, decline; and what the host may change before the start."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.opening import SeatRequest
from cartulary.service.description.schemas.arranging import (
    HostRequest,
    PlainWrite,
    SeatChangeRequest,
    SeatTakingRequest,
    StartRequest,
)
from cartulary.service.description.schemas.games import GameAnswer
from cartulary.service.http.answers import answer_game
from cartulary.service.http.operations import AnswerOf
from cartulary.service.views.game_writes import WRITTEN, GameWrite, describe_written, game_write

blueprint = Blueprint("seats", __name__)


@blueprint.post("/games/<game:game_id>/seats")
@game_write(
    "seats",
    "Take a seat",
    {201: AnswerOf("Seated.", GameAnswer, headers=("Location", *WRITTEN))},
    body=SeatTakingRequest,
    body_optional=True,
    refusals=(
        *("not_found", "removed", "seat_taken", "seat_offered", "already_started"),
        *("seat_forfeited", "game_not_running", "quota_exceeded"),
    ),
)
def take_seat(asked: GameWrite) -> Response:
    """Without a number: the seat that is offered to the caller, else the first open seat.

    The last seat that is taken starts the game, unless the host is to start it.
    """
    join, body = asked.commands.join, asked.body
    seat, entropy = body.get("seat"), body.get("entropy")
    # An earlier release does not know `expected_version` and makes the digest of a key without the
    # body. So a request without it must have the same digest now, or its retry is refused.
    digested = None if body.get("expected_version") is None else body
    done = asked.write(
        lambda at: join(asked.who, asked.game_id, seat, asked.key, at, entropy, digested)
    )
    return answer_game(asked.here, done)


@blueprint.delete("/games/<game:game_id>/seats/<whole:seat>")
@game_write(
    "seats",
    "Leave a seat before the start, or decline its offer",
    {200: AnswerOf("Left or declined; the event is stored.", GameAnswer, headers=WRITTEN)},
    refusals=("not_found", "not_seated", "already_started", "game_not_running"),
)
def leave_seat(asked: GameWrite, seat: int) -> Response:
    """The seat is open again. When the host leaves, the next player at the table is the host.

    When the last player leaves, the game is aborted.
    """
    leave = asked.commands.leave
    done = asked.write(lambda at: leave(asked.who, asked.game_id, seat, asked.key, at))
    return answer_game(asked.here, done, 200)


@blueprint.put("/games/<game:game_id>/seats/<whole:seat>")
@game_write(
    "seats",
    "Open a seat, put a bot on it, or invite a player",
    {200: describe_written("The seat is as wished.")},
    body=SeatChangeRequest,
    refusals=("not_found", "not_host", "already_started", "game_not_running", "seat_taken"),
)
def change_seat(asked: GameWrite, seat: int) -> Response:
    """For the host, before the start. A player who is removed may not come back.

    A bot or an offer gives way to what is asked for; a player has to be removed first, with
    `{"kind":"open"}`. A bot on the last open seat starts the game, unless the host is to start it.
    In a running game the host may offer a vacant seat, and withdraw the offer.
    """
    wish = SeatRequest(asked.body["kind"], asked.body.get("bot"), asked.body.get("player"))
    change = asked.commands.arranging.change_seat
    return asked.answer(
        lambda at: change(asked.who, asked.game_id, seat, wish, asked.key, at, asked.body), 200
    )


@blueprint.post("/games/<game:game_id>/start")
@game_write(
    "seats",
    "Start the game",
    {201: describe_written("Started.")},
    body=StartRequest,
    body_optional=True,
    refusals=(
        *("not_found", "not_host", "already_started", "game_not_running"),
        *("seats_open", "not_ready"),
    ),
)
def start_game(asked: GameWrite) -> Response:
    """For the host. Open seats are dropped where the host says so, and offers withdrawn.

    The other seats close up in their order; enough of them must be left for the game.
    """
    start, drop = asked.commands.arranging.start, asked.body["drop_open_seats"]
    return asked.answer(lambda at: start(asked.who, asked.game_id, drop, asked.key, at, asked.body))


@blueprint.put("/games/<game:game_id>/host")
@game_write(
    "seats",
    "Hand the table over",
    {200: describe_written("The player is the host.")},
    body=HostRequest,
    refusals=("not_found", "not_host", "game_not_running"),
)
def change_host(asked: GameWrite) -> Response:
    """For the host: another player who sits at the table arranges it from now on."""
    hand_over = asked.commands.arranging.hand_over
    return asked.answer(
        lambda at: hand_over(
            asked.who, asked.game_id, asked.body["player"], asked.key, at, asked.body
        ),
        200,
    )


@blueprint.post("/games/<game:game_id>/abort")
@game_write(
    "seats",
    "End a game before it has really begun",
    {201: describe_written("Aborted, or left.")},
    body=PlainWrite,
    body_optional=True,
    refusals=(
        *("not_found", "not_host", "not_seated", "game_not_running", "seat_forfeited"),
        "too_late",
    ),
)
def abort_game(asked: GameWrite) -> Response:
    """Before the start for the host: the game ends without a result.

    Later for each player until everybody has answered once: with two persons the game ends without
    a result, with more of them the player leaves and the others play on.
    """
    abort = asked.commands.abort
    return asked.answer(lambda at: abort(asked.who, asked.game_id, asked.key, at, asked.body))
