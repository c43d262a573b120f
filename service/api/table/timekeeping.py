"""Time at the table: be ready, give time, read the clock."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import validate

from cartulary.events.model.time.pace import MODES
from cartulary.events.people.players import Player
from cartulary.service.api.game.game_writes import GameWrite, describe_written, game_write
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, Request, count, seat, text, whole
from cartulary.service.schemas.game_bodies import expected_version

blueprint = Blueprint("timekeeping", __name__)


class ReadyRequest(Request):
    """Whether a player is ready for the start."""

    ready = Flag(required=True)
    expected_version = expected_version()


class TimeRequest(Request):
    """Time for the seat of another player."""

    seat = seat(required=True)
    seconds = whole(
        1,
        1_209_600,
        required=True,
        description="At most the delay of the game; in all, three times the bank of the start.",
    )
    expected_version = expected_version()


def _moment(description: str) -> fields.String:
    return fields.String(
        allow_none=True, metadata={"format": "date-time", "description": description}
    )


class ClockAnswer(Answer):
    """The clock of a game now; an untimed game has nothing but `mode`."""

    mode = text("Null: the game is untimed.", allow_none=True, validate=validate.OneOf(MODES))
    seat = seat(
        allow_none=True,
        description="The seat whose clock runs; null: a bot is asked, or no seat is.",
    )
    since = _moment("When this seat came to be asked for this decision.")
    turn_used = count("What this turn had used before this decision, in ms.")
    banks = fields.List(whole(0), description="By seat, in ms, before this decision; [] at first.")
    deadline_at = _moment("When the time of the seat is over; a flag falls soon after it.")
    stopped_by = fields.String(
        allow_none=True,
        validate=validate.OneOf(["pause", "vacation", "outage"]),
        description="What stops the clock now; null: the clock runs.",
    )
    overdue = fields.Boolean(description="Whether the flag of the seat has fallen.")
    now = fields.String(metadata={"format": "date-time", "description": "The time of the service."})


@blueprint.put("/games/<game:game_id>/seats/<whole:seat>/ready")
@game_write(
    "seats",
    "Be ready for the start",
    {200: describe_written("The service knows it.")},
    body=ReadyRequest,
    refusals=("not_found", "not_seated", "already_started", "game_not_running", "untimed"),
)
def ready_seat(write: GameWrite, seat: int) -> Response:
    """For the player of a seat at a live table: the host starts when everybody is ready."""
    return write.answer(write.give(write.commands.time.ready, seat, write.body["ready"]), 200)


@blueprint.post("/games/<game:game_id>/time")
@game_write(
    "seats",
    "Give time to another player",
    {201: describe_written("Given.")},
    body=TimeRequest,
    refusals=(
        *("not_found", "not_seated", "game_not_running", "seat_forfeited", "untimed"),
        *("rated_game", "round_open"),
    ),
)
def give_time(write: GameWrite) -> Response:
    """The bank of the seat grows. A flag that has fallen is raised again."""
    seat, seconds = write.body["seat"], write.body["seconds"]
    return write.answer(write.give(write.commands.time.give, seat, seconds))


@blueprint.get("/games/<game:game_id>/clock")
@operation(
    "games",
    "The clock of a game now",
    {200: AnswerOf("What the clock says.", ClockAnswer)},
    refusals=("not_found",),
)
def show_clock(services: Services, game_id: str, who: Player | None) -> Response:
    """No cache keeps the answer: a vacation or an outage moves a deadline without any event."""
    table = find_table(services, game_id, who)
    return answer_json(
        services.store.commands.time.describe(table), headers={"Cache-Control": "no-store"}
    )
