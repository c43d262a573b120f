"""The deletion of one's own account."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.accounts import DeletionRequest
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("deletion", __name__)


@blueprint.post("/players/me/deletion")
@operation(
    "players",
    "Delete one's account for good",
    {204: AnswerOf("Deleted: within 5 s nobody sees the name any more.")},
    body=DeletionRequest,
    limit="accounts",
    token="required",
    scope="account",
)
def delete_account(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """Leaves every game, and deletes messages, inbox, blocks, vacations and tokens.

    Nobody can undo it. Events stay as they are; who reads them sees `(deleted)` in place of the
    name. Repeat the request when no answer came: 401 says that it is done.
    """
    here.store.deletion.delete(who, body["confirm"])
    mark_stored(environ())
    return Response(status=204)
