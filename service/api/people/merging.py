"""A guest becomes the account that the person has on another device."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.people.players import Player
from cartulary.service.api.people.players import describe_player
from cartulary.service.api.people.sessions import must_be_whole
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, text
from cartulary.service.schemas.players import PlayerAnswer

blueprint = Blueprint("merging", __name__)


class MergeRequest(Request):
    """The guest who is to be merged."""

    token = text("A token of the guest, with all scopes.", validate=validate.Length(1, 200))


class MergeAnswer(Answer):
    """The guest who is gone."""

    merged = fields.Nested(PlayerAnswer, required=True)
    games = fields.List(
        fields.String(),
        required=True,
        description="The games in which this call has moved something.",
    )


@blueprint.post("/players/me/merge")
@operation(
    "players",
    "Take over what a guest has",
    {200: AnswerOf("Merged, now or before.", MergeAnswer)},
    body=MergeRequest,
    limit="accounts",
    refusals=("stale_version",),
)
def merge_guest(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """The seats, offers and tables of the guest become the caller's; then the guest is gone.

    The tokens of the guest end. Games that are over keep the name of the guest. A call that was
    interrupted can be sent again.
    """
    must_be_whole(services)
    done = services.store.accounts.merging.merge(who, body["token"])
    mark_stored(request.environ)
    told = {"merged": describe_player(done.guest), "games": done.games}
    return answer_json(told, headers=SECRET)
