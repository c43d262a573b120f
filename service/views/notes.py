"""Notes: what a player keeps for themselves on a game."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.talk import NoteAnswer, NoteRequest
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("notes", __name__)
_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


@blueprint.get("/games/<game:game_id>/note")
@operation(
    "talk",
    "One's own note on a game",
    {200: AnswerOf("The note; empty without a note.", NoteAnswer)},
    refusals=("not_found",),
    token="required",
)
def show_note(here: Parts, game_id: str, who: Player) -> Response:
    """Nobody but the caller reads it."""
    text = here.store.notes.read(who, game_id)
    return answer_json({"text": text}, headers=_PRIVATE)


@blueprint.put("/games/<game:game_id>/note")
@operation(
    "talk",
    "Keep a note on a game",
    {200: AnswerOf("Kept.", NoteAnswer, headers=("Idempotency-Replayed",))},
    body=NoteRequest,
    headers=("Idempotency-Key",),
    limit="writes",
    refusals=("not_found",),
    token="required",
)
def change_note(
    here: Parts, game_id: str, who: Player, body: dict[str, Any], key: str | None
) -> Response:
    """The note takes the place of the note before; an empty text removes it."""
    replayed = here.store.notes.write(who, game_id, body["text"], key)
    mark_stored(environ())
    headers = {**_PRIVATE, **({"Idempotency-Replayed": "true"} if replayed else {})}
    return answer_json({"text": body["text"]}, headers=headers)
