"""The company of the caller: what those do whom the caller follows."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.api.company.follows import FollowAnswer
from cartulary.service.api.game.games_schema import GameSummary
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, list_of

blueprint = Blueprint("company", __name__)


class CompanionAnswer(FollowAnswer):
    """A player whom the caller follows, and what the player does."""

    online = fields.Boolean(required=True, description="True while the player is here.")
    playing = list_of(GameSummary, "The last five running games that the caller may see.")
    hosting = list_of(GameSummary, "The last five tables of the player with an open seat.")


class CompanyAnswer(Answer):
    """The company of the caller, the longest followed first."""

    players = list_of(CompanionAnswer)


@blueprint.get("/players/me/company")
@operation(
    "players",
    "What those do whom one follows",
    {200: AnswerOf("The followed players.", CompanyAnswer)},
)
def show_company(services: Services, who: Player) -> Response:
    """Who is here, who plays what, who waits for players.

    Games are shown that are public, or that concern the caller. A player who hides looks like one
    who is away.
    """
    players = [
        {
            "id": one.id,
            "name": one.name,
            "since": one.since,
            "online": one.is_online,
            "playing": one.playing,
            "hosting": one.hosting,
        }
        for one in services.store.company.list_of(who.id)
    ]
    return answer_json({"players": players}, headers=SECRET)
