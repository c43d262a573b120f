"""Time at the table: be ready, give time, read the clock."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.timekeeping import (
    ClockAnswer,
    ReadyRequest,
    TimeRequest,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.views.game_writes import GameWrite, describe_written, game_write
from cartulary.service.views.tables import find_table

blueprint = Blueprint("timekeeping", __name__)


@blueprint.put("/games/<game:game_id>/seats/<whole:seat>/ready")
@game_write(
    "seats",
    "Be ready for the start",
    {200: describe_written("The service knows it.")},
    body=ReadyRequest,
    refusals=("not_found", "not_seated", "already_started", "game_not_running", "untimed"),
)
def ready_seat(asked: GameWrite, seat: int) -> Response:
    """For the player of a seat at a live table: the host starts when everybody is ready."""
    command, ready = asked.commands.time.ready, asked.body["ready"]
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, ready, asked.key, at, asked.body), 200
    )


@blueprint.post("/games/<game:game_id>/time")
@game_write(
    "seats",
    "Give time to somebody else",
    {201: describe_written("Given.")},
    body=TimeRequest,
    refusals=("not_found", "not_seated", "game_not_running", "seat_forfeited", "untimed"),
)
def give_time(asked: GameWrite) -> Response:
    """The bank of the seat grows. A flag that has fallen is raised again."""
    command, body = asked.commands.time.give, asked.body
    seat, seconds = body["seat"], body["seconds"]
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, seconds, asked.key, at, body)
    )


@blueprint.get("/games/<game:game_id>/clock")
@operation(
    "games",
    "The clock of a game now",
    {200: AnswerOf("What the clock says.", ClockAnswer)},
    refusals=("not_found",),
    token="optional",
)
def show_clock(here: Parts, game_id: str, who: Player | None) -> Response:
    """No cache keeps the answer: a vacation or an outage moves a deadline without any event."""
    table = find_table(here, game_id, who)
    return answer_json(
        here.store.commands.time.describe(table), headers={"Cache-Control": "no-store"}
    )
