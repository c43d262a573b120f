"""Transcripts: a game as a file, out and in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.errors import GameNotRunning
from cartulary.events.opening import VISIBILITIES
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.events.transcripts import read_extra, transcript_of
from cartulary.service.description.schemas.games import GameAnswer
from cartulary.service.description.schemas.requests import AnyTranscript
from cartulary.service.description.schemas.transcripts import TranscriptAnswer
from cartulary.service.http.answers import answer_changed, answer_game, revalidate
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.problems import invalid
from cartulary.service.views.tables import find_table

_HEADERS = ("Location", "ETag", "Idempotency-Replayed")
_BESIDE = ("entropy", "commitment", "visibility")
"""Keys that are no part of the transcript."""

blueprint = Blueprint("transcripts", __name__)


@blueprint.get("/games/<game:game_id>/transcript")
@operation(
    "transcripts",
    "The transcript so far",
    {
        200: AnswerOf("The transcript.", TranscriptAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match",),
    refusals=("not_found", "game_not_running"),
    token="optional",
)
def show_transcript(here: Parts, game_id: str, who: Player | None, known: ETags) -> Response:
    """The portable record of the game, from its start; 409 before there is one."""
    table = find_table(here, game_id, who)
    if table.state is None:
        raise GameNotRunning(table.status)
    tag = tag_table(here, table)
    return answer_changed(known, lambda: _record(here, table), tag, revalidate(table.visibility))


def _record(here: Parts, table: Table) -> dict[str, Any]:
    events = here.store.ledger.events(table.id, 0, table.version)
    extra = read_extra(here.store.ledger, table.id, events[0])
    return transcript_of(table, events, extra).to_json()


@blueprint.post("/games/import")
@operation(
    "transcripts",
    "Make a game of a transcript",
    {201: AnswerOf("Made.", GameAnswer, headers=(*_HEADERS, *STANDING))},
    body=AnyTranscript,
    described_body=TranscriptAnswer,
    body_limit="max_import",
    headers=("Idempotency-Key",),
    refusals=("quota_exceeded",),
    limit="imports",
    token="required",
)
def import_transcript(here: Parts, who: Player, key: str | None, body: dict[str, Any]) -> Response:
    """Only a valid transcript becomes a game; the caller sits on every seat and may play on.

    `entropy`, `commitment` and `visibility`, as for a new game, may stand beside the keys of the
    transcript.
    """
    transcript = {key: value for key, value in body.items() if key not in _BESIDE}
    entropy, commitment, wanted = (_read_text(body, key) for key in _BESIDE)
    visibility = VISIBILITIES[0] if wanted is None else wanted
    if visibility not in VISIBILITIES:
        raise invalid("/visibility", f"must be one of: {', '.join(VISIBILITIES)}")
    make = here.store.commands.import_transcript
    return answer_game(here, make(who, transcript, key, entropy, commitment, visibility))


def _read_text(body: dict[str, Any], key: str) -> str | None:
    """Return a text of the body, None when it is missing; raises `Problem` for anything else."""
    value = body.get(key)
    if value is None or isinstance(value, str):
        return value
    raise invalid(f"/{key}", "must be a string")
