"""Local games: what the caller played on a device without the service."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.accounts.local_games import MOST_BYTES, StaleCopy, TooLong
from cartulary.events.people.players import Player
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid, not_found
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, count, list_of, text, time, whole
from cartulary.service.schemas.references import game_name
from cartulary.service.schemas.transcripts import TranscriptField

blueprint = Blueprint("local_games", __name__)

_ID = re.compile("[A-Za-z0-9-]{8,64}")


class LocalGameSummary(Answer):
    """A local game without its moves."""

    id = text("The id that the device chose.")
    stored_at = time()
    game = game_name()
    seats = whole(2, 5, required=True)
    moves = count("So many moves were made.", required=True)
    over = fields.Boolean(required=True)


class LocalGameAnswer(LocalGameSummary):
    """A local game."""

    transcript = fields.Dict(required=True, description="As `GET /games/{id}/transcript` has it.")


class LocalGamesAnswer(Answer):
    """The local games of the caller, the newest first."""

    games = list_of(LocalGameSummary)


class LocalGameRequest(Request):
    """A local game to store."""

    transcript = TranscriptField(
        required=True,
        description="A valid transcript with `origin`: `local`, at most 100 000 bytes long.",
        metadata={"type": "object", "additionalProperties": {}},
    )
    replaces = fields.String(
        load_default="",
        validate=validate.Length(max=40),
        description="The `stored_at` of the game that the device went on from. When another device "
        "has stored this game since, the answer is 409 `stale_version`. Missing: in place of any.",
    )


@blueprint.get("/players/me/local_games")
@operation("players", "List local games", {200: AnswerOf("The local games.", LocalGamesAnswer)})
def list_local_games(services: Services, who: Player) -> Response:
    """Games that were played without the service, on any device of the caller."""
    games = services.store.accounts.local_games.list_summaries(who.id)
    return answer_json({"games": games}, headers=SECRET)


@blueprint.get("/players/me/local_games/<local_id>")
@operation(
    "players",
    "A local game",
    {200: AnswerOf("The local game.", LocalGameAnswer)},
    refusals=("not_found",),
)
def show_local_game(services: Services, who: Player, local_id: str) -> Response:
    """With its transcript, so that another device goes on."""
    game = services.store.accounts.local_games.find(who.id, local_id)
    if game is None:
        raise not_found("this local game")
    return answer_json({**game.summary(), "transcript": game.transcript}, headers=SECRET)


@blueprint.put("/players/me/local_games/<local_id>")
@operation(
    "players",
    "Store a local game",
    {200: AnswerOf("Stored.", LocalGameSummary)},
    body=LocalGameRequest,
    body_limit="max_import",
    limit="imports",
    refusals=("quota_exceeded", "stale_version"),
)
def store_local_game(
    services: Services, who: Player, local_id: str, body: dict[str, Any]
) -> Response:
    """In place of what the account has under this id. It is never rated.

    Each move must be legal, and a result must be that of the engine; the draws are not proved.
    """
    _check_id(local_id)
    try:
        game = services.store.accounts.local_games.put(
            who.id, local_id, body["transcript"], body["replaces"]
        )
    except TooLong as error:
        raise Problem("too_large", str(error), limit=MOST_BYTES) from error
    except StaleCopy as error:
        raise Problem("stale_version", str(error), stored_at=error.stored_at) from error
    mark_stored(request.environ)
    return answer_json(game.summary())


@blueprint.delete("/players/me/local_games/<local_id>")
@operation(
    "players",
    "Delete a local game",
    {204: AnswerOf("Deleted, or it was not there.")},
    limit="writes",
)
def delete_local_game(services: Services, who: Player, local_id: str) -> Response:
    """From the account; devices that have it keep it."""
    _check_id(local_id)
    services.store.accounts.local_games.remove(who.id, local_id)
    return answer_stored()


def _check_id(local_id: str) -> None:
    """Raise 422 `invalid` unless a device may have made this id."""
    if not _ID.fullmatch(local_id):
        raise invalid("", "the id of a local game has 8 to 64 letters, digits and -")
