"""Seats: sitting down and leaving before the start."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.commands import Written
from cartulary.events.errors import NotFound
from cartulary.service.description.schemas.requests import SeatTakingRequest
from cartulary.service.description.schemas.resources import GameAnswer
from cartulary.service.http.answers import location, written
from cartulary.service.http.bodies import json_response, read_body
from cartulary.service.http.conditions import etag, guarded, idempotency_key, replayed
from cartulary.service.http.context import parts, writer
from cartulary.service.http.operations import WITH_BODY, WITH_TOKEN, AnswerOf, operation
from cartulary.service.views.paths import whole_in_path

blueprint = Blueprint("seats", __name__)
_BODY = SeatTakingRequest()
_HEADERS = ("ETag", "Idempotency-Replayed")


@blueprint.post("/games/<game:game_id>/seats")
@operation(
    "seats",
    "Take an open seat",
    {201: AnswerOf("Seated.", GameAnswer, headers=("Location", *_HEADERS))},
    body=SeatTakingRequest,
    body_optional=True,
    headers=("Idempotency-Key", "If-Match"),
    refusals=(
        *WITH_TOKEN,
        *WITH_BODY,
        *("not_found", "seat_taken", "already_started", "game_not_running", "stale_version"),
        "idempotency_mismatch",
    ),
    token="required",
)
def take_seat(game_id: str) -> Response:
    """Without a number: the first open one. The last one taken starts the game."""
    who = writer()
    key = idempotency_key()
    seat = read_body(_BODY, optional=True).get("seat")
    command = parts().store.commands.join
    done = guarded(game_id, lambda version: command(who, game_id, seat, key, version))
    return _answer(done, 201, {"Location": location(game_id)})


@blueprint.delete("/games/<game:game_id>/seats/<seat>")
@operation(
    "seats",
    "Leave a seat before the start",
    {200: AnswerOf("Left; the event is stored.", GameAnswer, headers=_HEADERS)},
    headers=("Idempotency-Key", "If-Match"),
    refusals=(
        *WITH_TOKEN,
        *("not_found", "not_seated", "already_started", "game_not_running", "stale_version"),
        *("invalid", "idempotency_mismatch"),
    ),
    token="required",
)
def leave_seat(game_id: str, seat: str) -> Response:
    """The seat is open again. When the last player leaves, the game is aborted."""
    who = writer()
    key = idempotency_key()
    number = whole_in_path(seat)
    if number is None:
        raise NotFound(f"there is no seat {seat!r}")
    command = parts().store.commands.leave
    done = guarded(game_id, lambda version: command(who, game_id, number, key, version))
    return _answer(done, 200, {})


def _answer(done: Written, status: int, headers: dict[str, str]) -> Response:
    table = written(done).table
    headers = {**headers, "ETag": etag(table.version)}
    return replayed(json_response(table.text(), status, headers), done.replayed)
