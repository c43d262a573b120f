"""Muting: hide the messages of another player for oneself."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json, answer_stored, revalidate, set_caching
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found
from cartulary.service.schemas.base import Answer, list_of
from cartulary.service.schemas.players import PlayerName

blueprint = Blueprint("mutes", __name__)


class MutesAnswer(Answer):
    """The players whose messages the caller does not read."""

    players = list_of(PlayerName)


@blueprint.get("/players/me/mutes")
@operation("talk", "Whom the caller mutes", {200: AnswerOf("The muted players.", MutesAnswer)})
def list_mutes(services: Services, who: Player) -> Response:
    """In no order."""
    muted = services.store.mutes.muted_by(who.id)
    found = (services.store.players.by_id(player_id) for player_id in sorted(muted))
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
)
def mute_player(services: Services, player_id: str, who: Player) -> Response:
    """The caller reads no messages of this player any more; the player is not told."""
    if services.store.players.by_id(player_id) is None:
        raise not_found("this player")
    services.store.mutes.mute(who.id, player_id)
    return answer_stored()


@blueprint.delete("/players/me/mutes/<player_id>")
@operation(
    "talk",
    "Mute a player no more",
    {204: AnswerOf("The caller reads the player again.")},
    limit="writes",
    scope="account",
)
def unmute_player(services: Services, player_id: str, who: Player) -> Response:
    """Also for a player who was not muted."""
    services.store.mutes.unmute(who.id, player_id)
    return answer_stored()
