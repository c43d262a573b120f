"""Standing answers: answer a kind of question until further notice."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.ledger.standing import GAME, UNTIL
from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json, set_caching
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text
from cartulary.service.schemas.references import move, refer

blueprint = Blueprint("standing_answers", __name__)


_UNTIL_TEXT = (
    "`game`: to the end of the game. `round`: to the end of the round that is being played, in a "
    "game with rounds."
)


class StandingAnswerRequest(Request):
    """An answer to every question of a kind."""

    kind = fields.String(required=True, metadata=refer("DecisionKind"))
    move = move()
    until = fields.String(
        load_default=GAME, validate=validate.OneOf(UNTIL), description=_UNTIL_TEXT
    )


class StandingAnswersRequest(Request):
    """All standing answers of the caller in a game: those from before are gone."""

    answers = list_of(StandingAnswerRequest)


class StandingAnswerAnswer(Answer):
    """An answer to every question of a kind."""

    kind = fields.String(required=True, metadata=refer("DecisionKind"))
    move = move()
    until = text(_UNTIL_TEXT, validate=validate.OneOf(UNTIL))


class StandingAnswersAnswer(Answer):
    """The standing answers of the caller that hold now."""

    answers = list_of(StandingAnswerAnswer)


@blueprint.get("/games/<game:game_id>/standing_answers")
@operation(
    "moves",
    "One's own standing answers",
    {200: AnswerOf("What holds now; no other player sees it.", StandingAnswersAnswer)},
    refusals=("not_found", "not_seated"),
)
def show_standing_answers(services: Services, game_id: str, who: Player) -> Response:
    """Answers that have ended, and those that a takeback has dropped, are left out."""
    return _answer(services.store.commands.standing_answers.show(who, game_id))


@blueprint.put("/games/<game:game_id>/standing_answers")
@operation(
    "moves",
    "Answer a kind of question until further notice",
    {
        200: AnswerOf(
            "What holds from now on.", StandingAnswersAnswer, headers=("Idempotency-Replayed",)
        )
    },
    body=StandingAnswersRequest,
    limit="writes",
    refusals=("not_found", "not_seated", "game_not_running", "seat_forfeited"),
)
def change_standing_answers(
    services: Services, game_id: str, who: Player, body: dict[str, Any], key: str | None
) -> Response:
    """The service answers such questions for the caller at once, as part of the move before.

    Only a move without further choice will do. The answers hold for all seats of the caller, and
    replace those from before. A question that is pending now waits for the caller; so does a
    question to which the answer is not legal. A takeback to before the position at which an answer
    was given drops the answer.
    """
    change = services.store.commands.standing_answers.change
    found, replayed = change(who, game_id, body["answers"], key)
    mark_stored(request.environ)
    answer = _answer(found)
    if replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


def _answer(answers: list[dict[str, Any]]) -> Response:
    return set_caching(answer_json({"answers": answers}), "private, no-store")
