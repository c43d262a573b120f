"""The deletion of one's own account."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas.base import Request, text

blueprint = Blueprint("deletion", __name__)


class DeletionRequest(Request):
    """The name of the caller, so that no player deletes an account by mistake."""

    confirm = text("The name of the caller, letter by letter.")


@blueprint.post("/players/me/deletion")
@operation(
    "players",
    "Delete one's account for good",
    {204: AnswerOf("Deleted: within 5 s no reader sees the name any more.")},
    body=DeletionRequest,
    limit="accounts",
    scope="account",
    while_suspended=True,
)
def delete_account(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """Leaves every game, and deletes messages, inbox, blocks, vacations and tokens.

    It cannot be undone. Events stay as they are; who reads them sees `(deleted)` in place of the
    name. Repeat the request when no answer came: 401 says that it is done.
    """
    services.store.accounts.deletion.delete(who, body["confirm"])
    return answer_stored()
