"""Notes: what a player keeps for themselves on a game."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError

from cartulary.events.chat import notes
from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, text

blueprint = Blueprint("notes", __name__)
_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def _no_fault_of_note(value: str) -> None:
    fault = notes.fault_of_note(value)
    if fault is not None:
        raise ValidationError(fault)


class NoteRequest(Request):
    """The private note on a game; an empty text removes it."""

    text = fields.String(
        required=True,
        validate=_no_fault_of_note,
        description="At most 4 KiB in UTF-8; lines and tabs are allowed.",
        metadata={"maxLength": notes.LONGEST},
    )


class NoteAnswer(Answer):
    """The private note on a game; empty without a note."""

    text = text()


@blueprint.get("/games/<game:game_id>/note")
@operation(
    "talk",
    "One's own note on a game",
    {200: AnswerOf("The note; empty without a note.", NoteAnswer)},
    refusals=("not_found",),
)
def show_note(services: Services, game_id: str, who: Player) -> Response:
    """Only the caller reads it."""
    text = services.store.notes.read(who, game_id)
    return answer_json({"text": text}, headers=_PRIVATE)


@blueprint.put("/games/<game:game_id>/note")
@operation(
    "talk",
    "Keep a note on a game",
    {200: AnswerOf("Kept.", NoteAnswer, headers=("Idempotency-Replayed",))},
    body=NoteRequest,
    limit="writes",
    refusals=("not_found",),
)
def change_note(
    services: Services, game_id: str, who: Player, body: dict[str, Any], key: str | None
) -> Response:
    """The note takes the place of the note before; an empty text removes it."""
    replayed = services.store.notes.write(who, game_id, body["text"], key)
    mark_stored(request.environ)
    headers = {**_PRIVATE, **({"Idempotency-Replayed": "true"} if replayed else {})}
    return answer_json({"text": body["text"]}, headers=headers)
