"""Reports: what a player tells the operators about a message, a player, a game or a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError, validates_schema

from cartulary.events.chat import complaints
from cartulary.events.chat.complaints import KINDS
from cartulary.events.model.names import PATTERN
from cartulary.events.people.players import Player
from cartulary.service.api.talk.notes import _no_fault_of_note
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, text, time

blueprint = Blueprint("reports", __name__)


def _no_fault_of_reason(value: str) -> None:
    fault = complaints.fault_of_reason(value)
    if fault is not None:
        raise ValidationError(fault)


def _no_fault_of_explanation(value: str) -> None:
    _no_fault_of_note(value)
    if len(value) > complaints.LONGEST_TEXT:
        raise ValidationError(f"must have at most {complaints.LONGEST_TEXT} characters")


class ReportRequest(Request):
    """A report about one `message`, `player`, `game` or `study`, by its id."""

    message = fields.String(description="Id of a message.")
    player = fields.String(description="Id of a player.")
    game = fields.String(description="Id of a game.")
    study = fields.String(description="Id of a study.")
    reason = fields.String(
        required=True,
        validate=_no_fault_of_reason,
        description="One line, for instance `insult`, `spam`, `cheating`, `name`, `other`.",
        metadata={"minLength": 1, "maxLength": complaints.LONGEST_REASON, "pattern": PATTERN},
    )
    text = fields.String(
        load_default="",
        validate=_no_fault_of_explanation,
        description="What the operators should know.",
        metadata={"maxLength": complaints.LONGEST_TEXT},
    )

    @validates_schema
    def _either(self, data: Mapping[str, Any], **_: Any) -> None:
        if sum(kind in data for kind in complaints.KINDS) != 1:
            raise ValidationError(
                "must have either a message, a player, a game or a study", "message"
            )


class ReportAnswer(Answer):
    """A report that the operators can read."""

    id = text()
    at = time()


@blueprint.post("/reports")
@operation(
    "talk",
    "Report something to the operators",
    {202: AnswerOf("The operators can read it.", ReportAnswer, headers=STANDING)},
    body=ReportRequest,
    limit="reports",
    scope="play",
    refusals=("not_found",),
)
def report(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """A report of a message keeps a copy of it, one of a study the beginning of its words.

    Only the operators learn of a report.
    """
    kind = next(kind for kind in KINDS if kind in body)
    made = services.store.complaints.report(who, kind, body[kind], body["reason"], body["text"])
    mark_stored(request.environ)
    return answer_json({"id": made.id, "at": made.at}, 202, {"Cache-Control": "no-store"})
