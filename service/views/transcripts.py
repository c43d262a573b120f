"""Transcripts: a game as a file, out and in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.errors import GameNotRunning
from cartulary.events.table import Table
from cartulary.events.transcripts import transcript_of
from cartulary.service.description.schemas.requests import AnyTranscript
from cartulary.service.description.schemas.resources import GameAnswer, TranscriptAnswer
from cartulary.service.http.answers import location, written
from cartulary.service.http.bodies import json_response, read_body
from cartulary.service.http.conditions import etag, fresh, idempotency_key, replayed, tagged
from cartulary.service.http.context import caller, parts, writer
from cartulary.service.http.operations import WITH_BODY, WITH_GAME, WITH_TOKEN, AnswerOf, operation

blueprint = Blueprint("transcripts", __name__)
_BODY = AnyTranscript()


@blueprint.get("/games/<game:game_id>/transcript")
@operation(
    "transcripts",
    "The transcript so far",
    {
        200: AnswerOf("The transcript.", TranscriptAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
    refusals=(*WITH_GAME, "game_not_running"),
    token="optional",
)
def show_transcript(game_id: str) -> Response:
    """The portable record of the game, from its start; 409 before there is one."""
    who = caller()
    table = parts().store.projector.visible(game_id, who and who.id)
    if table.state is None:
        raise GameNotRunning(table.status)
    return tagged(lambda: _transcript(table), etag(table.version), fresh(table.visibility))


def _transcript(table: Table) -> dict[str, Any]:
    events = parts().store.ledger.events(table.id, 0, table.version)
    return transcript_of(table, events).to_json()


@blueprint.post("/games/import")
@operation(
    "transcripts",
    "Make a game of a transcript",
    {201: AnswerOf("Made.", GameAnswer, headers=("Location", "ETag", "Idempotency-Replayed"))},
    body=TranscriptAnswer,
    headers=("Idempotency-Key",),
    refusals=(*WITH_TOKEN, *WITH_BODY, "idempotency_mismatch"),
    token="required",
)
def import_transcript() -> Response:
    """Only a valid transcript becomes a game; the caller sits on every seat and may play on."""
    who = writer()
    key = idempotency_key()
    value = read_body(_BODY, limit=parts().settings.max_import)
    done = written(parts().store.commands.import_transcript(who, value, key))
    table = done.table
    headers = {"Location": location(table.id), "ETag": etag(table.version)}
    return replayed(json_response(table.text(), 201, headers), done.replayed)
