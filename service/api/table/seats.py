"""Seats: sit down, leave, decline; and what the host may change before the start."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from marshmallow import validate, validates_schema

from cartulary.events.commands.table.opening import SeatRequest
from cartulary.service.api.game.game_writes import (
    WRITTEN,
    GameWrite,
    describe_written,
    game_write,
)
from cartulary.service.api.game.games_schema import GameAnswer
from cartulary.service.http.answers import answer_game, answer_seated
from cartulary.service.http.operations import AnswerOf
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Flag, Request, seat, text
from cartulary.service.schemas.game_bodies import (
    PlainWrite,
    entropy,
    expected_version,
    must_belong,
    player_field,
)

blueprint = Blueprint("seats", __name__)


class SeatTakingRequest(Request):
    """A seat; without `seat`: the seat that is offered to the caller, else any open seat."""

    seat = seat()
    entropy = entropy()
    expected_version = expected_version()


class SeatChangeRequest(Request):
    """What a seat is to be: open, for a bot, or offered to a player."""

    kind = text(validate=validate.OneOf(["open", "bot", "invite"]))
    bot = fields.String(validate=validate.Length(1, 64))
    player = player_field("With the kind `invite`: the player to whom the seat is offered.")
    expected_version = expected_version()

    @validates_schema
    def what_belongs_to_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a bot or a player without the kind that goes with it, and the other way round."""
        must_belong(data)


class StartRequest(Request):
    """The start of a game by its host."""

    drop_open_seats = Flag(load_default=False, description="Start without the empty seats.")
    expected_version = expected_version()


class HostRequest(Request):
    """Another host."""

    player = player_field("A player who sits at the table.", required=True)
    expected_version = expected_version()


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
        *("account_needed", "rated_game"),
    ),
)
def take_seat(write: GameWrite) -> Response:
    """Without a number: the seat that is offered to the caller, else the first open seat.

    The last seat that is taken starts the game, unless the host is to start it.
    """
    body = write.body
    # An earlier release does not know `expected_version` and makes the digest of a key without the
    # body. So a request without it must have the same digest now, or its retry is refused.
    if body.get("expected_version") is None:
        write = write._replace(intent=write.intent._replace(body=None))
    done = write.give(write.commands.arranging.join, body.get("seat"), body.get("entropy"))
    return answer_seated(write.services, write.intent.who, done)


@blueprint.delete("/games/<game:game_id>/seats/<whole:seat>")
@game_write(
    "seats",
    "Leave a seat before the start, or decline its offer",
    {200: AnswerOf("Left or declined; the event is stored.", GameAnswer, headers=WRITTEN)},
    refusals=("not_found", "not_seated", "already_started", "game_not_running", "round_open"),
)
def leave_seat(write: GameWrite, seat: int) -> Response:
    """The seat is open again. When the host leaves, the next player at the table is the host.

    When the last player leaves, the game is aborted.
    """
    return answer_game(write.services, write.give(write.commands.arranging.leave, seat), 200)


@blueprint.put("/games/<game:game_id>/seats/<whole:seat>")
@game_write(
    "seats",
    "Open a seat, put a bot on it, or invite a player",
    {200: describe_written("The seat is as wished.")},
    body=SeatChangeRequest,
    refusals=(
        *("not_found", "not_host", "already_started", "game_not_running", "seat_taken"),
        "rated_game",
    ),
)
def change_seat(write: GameWrite, seat: int) -> Response:
    """For the host, before the start. A player who is removed may not come back.

    A bot or an offer gives way to what is asked for; a player has to be removed first, with
    `{"kind":"open"}`. A bot on the last open seat starts the game, unless the host is to start it.
    In a running game the host may offer a vacant seat, and withdraw the offer.
    """
    wish = SeatRequest(write.body["kind"], write.body.get("bot"), write.body.get("player"))
    return write.answer(write.give(write.commands.arranging.change_seat, seat, wish), 200)


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
def start_game(write: GameWrite) -> Response:
    """For the host. Open seats are dropped where the host says so, and offers withdrawn.

    The other seats close up in their order; enough of them must be left for the game.
    """
    start = write.commands.arranging.start
    return write.answer(write.give(start, write.body["drop_open_seats"]))


@blueprint.put("/games/<game:game_id>/host")
@game_write(
    "seats",
    "Hand the table over",
    {200: describe_written("The player is the host.")},
    body=HostRequest,
    refusals=("not_found", "not_host", "game_not_running"),
)
def change_host(write: GameWrite) -> Response:
    """For the host: another player who sits at the table arranges it from now on."""
    hand_over = write.commands.arranging.hand_over
    return write.answer(write.give(hand_over, write.body["player"]), 200)


@blueprint.post("/games/<game:game_id>/abort")
@game_write(
    "seats",
    "End a game before it has really begun",
    {201: describe_written("Aborted, or left.")},
    body=PlainWrite,
    body_optional=True,
    refusals=(
        *("not_found", "not_host", "not_seated", "game_not_running", "seat_forfeited"),
        *("too_late", "rated_game", "round_open"),
    ),
)
def abort_game(write: GameWrite) -> Response:
    """Before the start for the host: the game ends without a result.

    Later for each player until everybody has answered once: with two persons the game ends without
    a result, with more of them the player leaves and the others play on.
    """
    return write.answer(write.give(write.commands.abort))
