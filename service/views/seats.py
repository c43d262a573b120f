"""Seats: sit down and leave before the start."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.requests import SeatTakingRequest
from cartulary.service.description.schemas.resources import GameAnswer
from cartulary.service.http.answers import answer_game
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("seats", __name__)
_HEADERS = ("ETag", "Idempotency-Replayed")


@blueprint.post("/games/<game:game_id>/seats")
@operation(
    "seats",
    "Take an open seat",
    {201: AnswerOf("Seated.", GameAnswer, headers=("Location", *_HEADERS))},
    body=SeatTakingRequest,
    body_optional=True,
    headers=("Idempotency-Key", "If-Match"),
    limit="writes",
    refusals=("not_found", "seat_taken", "already_started", "game_not_running"),
    token="required",
)
def take_seat(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """Without a number: the first open one. The last one taken starts the game."""
    join, seat, entropy = here.store.commands.join, body.get("seat"), body.get("entropy")
    done = write_at(here, game_id, if_match, lambda at: join(who, game_id, seat, key, at, entropy))
    return answer_game(here, done)


@blueprint.delete("/games/<game:game_id>/seats/<whole:seat>")
@operation(
    "seats",
    "Leave a seat before the start",
    {200: AnswerOf("Left; the event is stored.", GameAnswer, headers=_HEADERS)},
    headers=("Idempotency-Key", "If-Match"),
    limit="writes",
    refusals=("not_found", "not_seated", "already_started", "game_not_running"),
    token="required",
)
def leave_seat(
    here: Parts, game_id: str, seat: int, who: Player, key: str | None, if_match: Versions | None
) -> Response:
    """The seat is open again. When the last player leaves, the game is aborted."""
    leave = here.store.commands.leave
    done = write_at(here, game_id, if_match, lambda at: leave(who, game_id, seat, key, at))
    return answer_game(here, done, 200)
