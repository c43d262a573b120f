"""Transcripts: a game as a file, out and in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from marshmallow import validate
from werkzeug.datastructures import ETags

from cartulary.engine.ending import ENDED_BY
from cartulary.engine.ranking import OUTCOMES
from cartulary.events.commands.commands import Intent
from cartulary.events.commands.table.opening import VISIBILITIES
from cartulary.events.commands.table.transcripts import read_extra, transcript_of
from cartulary.events.model.errors import GameNotRunning
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.games_schema import GameAnswer
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_changed, answer_game, revalidate
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Keeping,
    Refusing,
    Request,
    Whole,
    list_of,
    seat,
    text,
    whole,
)
from cartulary.service.schemas.references import game_name, move
from cartulary.service.schemas.transcripts import AnyTranscript

_HEADERS = ("Location", "ETag", "Idempotency-Replayed")
_BESIDE = ("entropy", "commitment", "visibility")
"""Keys that are no part of the transcript."""

blueprint = Blueprint("transcripts", __name__)


class TranscriptMove(Answer):
    """A move of a transcript."""

    Meta = Refusing

    seat = seat(required=True)
    move = move()


class TranscriptResult(Answer):
    """The result of a transcript; `breakdown` may be there as well."""

    Meta = Keeping

    scores = fields.List(Whole(), required=True)
    winners = fields.List(seat(), required=True)


class TranscriptLeaver(Answer):
    """A seat that its owner left."""

    Meta = Refusing

    seat = seat(required=True)
    before = whole(
        0,
        required=True,
        description="Index of the first move that the seat did not answer itself; the "
        "number of moves when there is no such move.",
    )


class TranscriptEnding(Answer):
    """How a game ended that a player left, or that ended before its play did."""

    by = text("What ended the play.", validate=validate.OneOf(ENDED_BY))
    outcomes = fields.List(
        fields.String(validate=validate.OneOf(OUTCOMES)),
        required=True,
        description="How the game ended for each seat.",
    )
    ranks = fields.List(whole(1), required=True, description="The rank of each seat, 1 the best.")
    left = list_of(TranscriptLeaver, "Who left, in the order of leaving.")


class TranscriptAnswer(Answer):
    """The portable record of a game. Unknown keys at the top level are kept and ignored."""

    Meta = Keeping

    format = text("The format of the file.", validate=validate.OneOf(["cartulary/1"]))
    game = game_name()
    options = fields.Dict(description="Missing: the defaults.")
    seats = whole(2, 5, required=True)
    players = fields.List(
        fields.String(),
        description="A name for each seat; an import checks them like names of players.",
    )
    setup = fields.Dict(
        required=True, description="The chance of the start; its keys depend on the game."
    )
    draws = fields.List(
        fields.String(), required=True, description="The draws during the play, in order."
    )
    bag = fields.Dict(
        keys=fields.String(),
        values=whole(0),
        description="The draws to come, in a transcript of an unfinished game.",
    )
    moves = list_of(TranscriptMove, "Every move, in order.")
    result = fields.Nested(TranscriptResult, description="Missing: the game is not finished.")
    ending = fields.Nested(
        TranscriptEnding, description="Missing: no player left, and the play went on to its end."
    )


class TranscriptRequest(TranscriptAnswer, Request):
    """The portable record of a game, as an import takes it; unknown keys are kept and ignored."""

    Meta = Keeping


@blueprint.get("/games/<game:game_id>/transcript")
@operation(
    "transcripts",
    "The transcript so far",
    {
        200: AnswerOf("The transcript.", TranscriptAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    refusals=("not_found", "game_not_running"),
)
def show_transcript(services: Services, game_id: str, who: Player | None, known: ETags) -> Response:
    """The portable record of the game, from its start; 409 before there is one."""
    table = find_table(services, game_id, who)
    if table.state is None:
        raise GameNotRunning(table.status)
    tag = tag_table(services, table)
    return answer_changed(
        known, lambda: _record(services, table), tag, revalidate(table.visibility)
    )


def _record(services: Services, table: Table) -> dict[str, Any]:
    events = services.store.ledger.events(table.id, 0, table.version)
    extra = read_extra(services.store.ledger, table.id, events[0])
    return transcript_of(table, events, extra).to_json()


@blueprint.post("/games/import")
@operation(
    "transcripts",
    "Make a game of a transcript",
    {201: AnswerOf("Made.", GameAnswer, headers=(*_HEADERS, *STANDING))},
    body=AnyTranscript,
    described_body=TranscriptRequest,
    body_limit="max_import",
    refusals=("quota_exceeded", "round_open"),
    limit="imports",
)
def import_transcript(
    services: Services, who: Player, key: str | None, body: dict[str, Any]
) -> Response:
    """Only a valid transcript becomes a game; the caller sits on every seat and may play on.

    `entropy`, `commitment` and `visibility`, as for a new game, may stand next to the keys of the
    transcript.
    """
    transcript = {key: value for key, value in body.items() if key not in _BESIDE}
    entropy, commitment, wanted = (_read_text(body, key) for key in _BESIDE)
    visibility = VISIBILITIES[0] if wanted is None else wanted
    if visibility not in VISIBILITIES:
        raise invalid("/visibility", f"must be one of: {', '.join(VISIBILITIES)}")
    make = services.store.commands.import_transcript
    return answer_game(
        services, make(Intent(who, key=key), transcript, entropy, commitment, visibility)
    )


def _read_text(body: dict[str, Any], key: str) -> str | None:
    """Return a text of the body, None when it is missing; raises `Problem` for anything else."""
    value = body.get(key)
    if value is None or isinstance(value, str):
        return value
    raise invalid(f"/{key}", "must be a string")
