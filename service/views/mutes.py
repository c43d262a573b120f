"""Muting: hide the messages of another player for oneself."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.talk import MutesAnswer
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.problems import not_found
from cartulary.service.shortcuts import environ

blueprint = Blueprint("mutes", __name__)


@blueprint.get("/players/me/mutes")
@operation(
    "talk",
    "Whom the caller mutes",
    {200: AnswerOf("The muted players.", MutesAnswer)},
    token="required",
)
def list_mutes(here: Parts, who: Player) -> Response:
    """In no order."""
    muted = here.store.mutes.muted_by(who.id)
    found = (here.store.players.by_id(player_id) for player_id in sorted(muted))
    shown = [{"id": one.id, "name": one.name} for one in found if one is not None]
    return set_caching(answer_json({"players": shown}), revalidate("private"))


@blueprint.put("/players/me/mutes/<player_id>")
@operation(
    "talk",
    "Mute a player",
    {204: AnswerOf("Muted.")},
    limit="writes",
    scope="account",
    refusals=("not_found", "invalid"),
    token="required",
)
def mute_player(here: Parts, player_id: str, who: Player) -> Response:
    """The caller reads no messages of this player any more; the player is not told."""
    if here.store.players.by_id(player_id) is None:
        raise not_found("this player")
    here.store.mutes.mute(who.id, player_id)
    mark_stored(environ())
    return Response(status=204)


@blueprint.delete("/players/me/mutes/<player_id>")
@operation(
    "talk",
    "Mute a player no more",
    {204: AnswerOf("The caller reads the player again.")},
    limit="writes",
    scope="account",
    token="required",
)
def unmute_player(here: Parts, player_id: str, who: Player) -> Response:
    """Also for a player who was not muted."""
    here.store.mutes.unmute(who.id, player_id)
    mark_stored(environ())
    return Response(status=204)
