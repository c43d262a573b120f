"""Games: opening one, the lobby, and one as it stands."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.commands import NewGame, SeatRequest
from cartulary.events.projections import BadCursor
from cartulary.service.description.schemas.requests import GameRequest, GamesQuery
from cartulary.service.description.schemas.resources import GameAnswer, GamesPage
from cartulary.service.http.answers import location, written
from cartulary.service.http.bodies import json_response, read_body
from cartulary.service.http.conditions import etag, fresh, idempotency_key, kept, replayed, tagged
from cartulary.service.http.context import caller, parts, player, writer
from cartulary.service.http.operations import WITH_BODY, WITH_GAME, WITH_TOKEN, AnswerOf, operation
from cartulary.service.http.problems import Problem
from cartulary.service.http.queries import read_query

blueprint = Blueprint("games", __name__)
_BODY = GameRequest()
_QUERY = GamesQuery()


@blueprint.post("/games")
@operation(
    "games",
    "Open a game",
    {201: AnswerOf("Opened.", GameAnswer, headers=("Location", "ETag", "Idempotency-Replayed"))},
    body=GameRequest,
    headers=("Idempotency-Key",),
    refusals=(*WITH_TOKEN, *WITH_BODY, "idempotency_mismatch"),
    token="required",
)
def open_game() -> Response:
    """The game starts at once when no seat is open, else when the last open seat is taken.

    `me` may be given more than once: then one player plays several seats.
    """
    who = writer()
    key = idempotency_key()
    done = written(parts().store.commands.create(who, _new_game(read_body(_BODY)), key))
    table = done.table
    headers = {"Location": location(table.id), "ETag": etag(table.version)}
    return replayed(json_response(table.text(), 201, headers), done.replayed)


def _new_game(body: dict[str, Any]) -> NewGame:
    seats = [SeatRequest(seat["kind"], seat.get("bot")) for seat in body["seats"]]
    return NewGame(body["game"], seats, body["options"], body["shuffle_seats"], body["visibility"])


@blueprint.get("/games")
@operation(
    "games",
    "The lobby, or one's own games",
    {200: AnswerOf("A page of games, the newest first.", GamesPage)},
    query=GamesQuery,
    refusals=("bad_cursor", "token_missing", "token_unknown", "invalid"),
    token="optional",
)
def list_games() -> Response:
    """Public games; with `player=me` those that the caller opened or sits in, private ones too."""
    query = read_query(_QUERY)
    mine = query.pop("player", None)
    projections = parts().store.projections
    try:
        if mine:
            page = projections.games_of(player().id, **query)
        else:
            caller()
            page = projections.lobby(**query)
    except BadCursor:
        raise Problem("bad_cursor", "take the cursor from `next_cursor` of a page") from None
    answer = json_response({"games": page.games, "next_cursor": page.next_cursor})
    return kept(answer, fresh("private" if mine else "public"))


@blueprint.get("/games/<game:game_id>")
@operation(
    "games",
    "A game as it stands",
    {
        200: AnswerOf("The game.", GameAnswer, headers=("ETag",)),
        304: AnswerOf("It is at the version that the client has."),
    },
    headers=("If-None-Match",),
    refusals=WITH_GAME,
    token="optional",
)
def show_game(game_id: str) -> Response:
    """A private game is there for its players only; for others it does not exist."""
    who = caller()
    table = parts().store.projector.visible(game_id, who and who.id)
    return tagged(table.text, etag(table.version), fresh(table.visibility))
