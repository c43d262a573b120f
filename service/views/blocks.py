"""Blocks: players with whom the caller wants to have nothing to do."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.accounts import BlocksAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.problems import invalid, not_found
from cartulary.service.shortcuts import environ
from cartulary.service.views.tokens import SECRET

blueprint = Blueprint("blocks", __name__)


@blueprint.get("/players/me/blocks")
@operation(
    "players",
    "List whom one blocks",
    {200: AnswerOf("The blocked players.", BlocksAnswer)},
    token="required",
)
def list_blocks(here: Parts, who: Player) -> Response:
    """Only the caller learns of it."""
    found = here.store.blocks.list_of(who.id)
    names = here.store.players.name_all([one.player_id for one in found])
    told = [
        {"id": one.player_id, "name": name, "since": one.since}
        for one, name in zip(found, names, strict=True)
    ]
    return answer_json({"blocks": told}, headers=SECRET)


@blueprint.put("/players/me/blocks/<player_id>")
@operation(
    "players",
    "Block a player",
    {204: AnswerOf("Blocked.")},
    limit="writes",
    refusals=("not_found", "quota_exceeded"),
    token="required",
)
def block_player(here: Parts, who: Player, player_id: str) -> Response:
    """A blocked player cannot sit down at the caller's tables, nor invite or write to the caller.

    The blocked player learns of no block. Seats that the player holds already stay.
    """
    if player_id == who.id:
        raise invalid("", "this is the id of the caller")
    if here.store.players.by_id(player_id) is None:
        raise not_found("this player")
    here.store.blocks.add(who.id, player_id)
    mark_stored(environ())
    return Response(status=204)


@blueprint.delete("/players/me/blocks/<player_id>")
@operation(
    "players",
    "Block a player no longer",
    {204: AnswerOf("Not blocked, or no longer.")},
    limit="writes",
    token="required",
)
def unblock_player(here: Parts, who: Player, player_id: str) -> Response:
    """Also for a player who was not blocked."""
    here.store.blocks.remove(who.id, player_id)
    mark_stored(environ())
    return Response(status=204)
