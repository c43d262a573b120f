"""The search for players by name."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.model import names
from cartulary.events.people.name_folding import fold_name
from cartulary.events.people.name_index import SHORTEST, BadSearchCursor
from cartulary.service.api.people.players import describe_player
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text
from cartulary.service.schemas.players import PlayerAnswer

blueprint = Blueprint("search", __name__)


class PlayerListAnswer(Answer):
    """A page of players, by name; those with exactly this name come first."""

    players = list_of(PlayerAnswer, "The players, twenty at most.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class PlayerQuery(Request):
    """Which players."""

    name = fields.String(
        load_default="",
        description="How the name begins: three letters at least. Case and marks do not count.",
        metadata={"maxLength": names.LONGEST},
    )
    cursor = fields.String(load_default="", description="`next_cursor` of the page before.")


@blueprint.get("/players")
@operation(
    "players",
    "Find players by name",
    {200: AnswerOf("The players.", PlayerListAnswer, headers=STANDING)},
    query=PlayerQuery,
    refusals=("bad_cursor",),
    limit="searches",
)
def find_players(services: Services, query: dict[str, Any]) -> Response:
    """People and bots; a page may hold fewer than twenty.

    Players who are deleted, or who hide, are not found.
    """
    name = query["name"]
    if len(fold_name(name)) < SHORTEST or len(name) > names.LONGEST:
        raise invalid("/name", f"give {SHORTEST} to {names.LONGEST} letters")
    try:
        found = services.store.names.search(name, query["cursor"])
    except BadSearchCursor:
        raise Problem("bad_cursor", "take `next_cursor` of a page of this search") from None
    shown = [describe_player(one) for one in found.players]
    headers = {"Cache-Control": "no-store"}
    return answer_json({"players": shown, "next_cursor": found.next_cursor}, headers=headers)
