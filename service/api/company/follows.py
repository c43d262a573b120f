"""Follows: players whose company the caller likes."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.api.people.ties import TieAnswer, describe_ties, require_other
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas.base import Answer, list_of

blueprint = Blueprint("follows", __name__)


class FollowAnswer(TieAnswer):
    """A player whom the caller follows."""


class FollowListAnswer(Answer):
    """Whom the caller follows, the longest followed first."""

    follows = list_of(FollowAnswer)


@blueprint.get("/players/me/follows")
@operation(
    "players", "List whom one follows", {200: AnswerOf("The followed players.", FollowListAnswer)}
)
def list_follows(services: Services, who: Player) -> Response:
    """Only the caller learns of it."""
    found = services.store.follows.list_of(who.id)
    return answer_json({"follows": describe_ties(services, found)}, headers=SECRET)


@blueprint.put("/players/me/follows/<player_id>")
@operation(
    "players",
    "Follow a player",
    {204: AnswerOf("Followed.")},
    limit="writes",
    refusals=("not_found", "quota_exceeded"),
)
def follow_player(services: Services, who: Player, player_id: str) -> Response:
    """`GET /players/me/company` then shows what the player does; a bot of the caller may accept it.

    The followed player learns of nothing. A player follows 200 others at most.
    """
    require_other(services, who, player_id)
    services.store.follows.add(who.id, player_id)
    return answer_stored()


@blueprint.delete("/players/me/follows/<player_id>")
@operation(
    "players",
    "Follow a player no longer",
    {204: AnswerOf("Not followed, or no longer.")},
    limit="writes",
)
def unfollow_player(services: Services, who: Player, player_id: str) -> Response:
    """Also for a player who was not followed."""
    services.store.follows.remove(who.id, player_id)
    return answer_stored()
