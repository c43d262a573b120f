"""Reports: what a player tells the operators about a message, a player or a game."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.chat.complaints import KINDS
from cartulary.events.players import Player
from cartulary.service.description.schemas.talk import ReportAnswer, ReportRequest
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("reports", __name__)


@blueprint.post("/reports")
@operation(
    "talk",
    "Report something to the operators",
    {202: AnswerOf("The operators can read it.", ReportAnswer, headers=STANDING)},
    body=ReportRequest,
    limit="reports",
    scope="play",
    refusals=("not_found",),
    token="required",
)
def report(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """A report of a message keeps a copy of it. Nobody but the operators learns of a report."""
    kind = next(kind for kind in KINDS if kind in body)
    made = here.store.complaints.report(who, kind, body[kind], body["reason"], body["text"])
    mark_stored(environ())
    return answer_json({"id": made.id, "at": made.at}, 202, {"Cache-Control": "no-store"})
