"""A guest becomes the account that the person has on another device."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.accounts import MergeAnswer, MergeRequest
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ
from cartulary.service.views.players import describe_player
from cartulary.service.views.sessions import must_be_whole
from cartulary.service.views.tokens import SECRET

blueprint = Blueprint("merging", __name__)


@blueprint.post("/players/me/merge")
@operation(
    "players",
    "Take over what a guest has",
    {200: AnswerOf("Merged, now or before.", MergeAnswer)},
    body=MergeRequest,
    limit="accounts",
    refusals=("stale_version",),
    token="required",
)
def merge_guest(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """The seats, offers and tables of the guest become the caller's; then the guest is gone.

    The tokens of the guest end. Games that are over keep the name of the guest. A call that was
    interrupted can be sent again.
    """
    must_be_whole(here)
    done = here.store.merging.merge(who, body["token"])
    mark_stored(environ())
    told = {"merged": describe_player(done.guest), "games": done.games}
    return answer_json(told, headers=SECRET)
