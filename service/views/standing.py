"""Standing answers: answer a kind of question until further notice."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.standing import (
    StandingAnswersAnswer,
    StandingAnswersRequest,
)
from cartulary.service.http.answers import answer_json, set_caching
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("standing", __name__)


@blueprint.get("/games/<game:game_id>/standing_answers")
@operation(
    "moves",
    "One's own standing answers",
    {200: AnswerOf("What holds now; nobody else sees it.", StandingAnswersAnswer)},
    refusals=("not_found", "not_seated"),
    token="required",
)
def show_standing_answers(here: Parts, game_id: str, who: Player) -> Response:
    """Answers that have ended, and those that a takeback has dropped, are left out."""
    return _answer(here.store.commands.standing_answers.show(who, game_id))


@blueprint.put("/games/<game:game_id>/standing_answers")
@operation(
    "moves",
    "Answer a kind of question until further notice",
    {200: AnswerOf("What holds from now on.", StandingAnswersAnswer)},
    body=StandingAnswersRequest,
    limit="writes",
    refusals=("not_found", "not_seated", "game_not_running", "seat_forfeited"),
    token="required",
)
def change_standing_answers(
    here: Parts, game_id: str, who: Player, body: dict[str, Any]
) -> Response:
    """The service answers such questions for the caller at once, as part of the move before.

    Only a move without further choice will do. The answers hold for all seats of the caller, and
    replace those from before. A question that is pending now waits for the caller; so does a
    question to which the answer is not legal. A takeback to before the position at which an answer
    was given drops the answer.
    """
    found = here.store.commands.standing_answers.change(who, game_id, body["answers"])
    mark_stored(environ())
    return _answer(found)


def _answer(answers: list[dict[str, Any]]) -> Response:
    return set_caching(answer_json({"answers": answers}), "private, no-store")
