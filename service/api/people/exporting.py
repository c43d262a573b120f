"""Everything of the caller, as a file."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.http.answers import locate
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("exporting", __name__)

NDJSON = "application/x-ndjson"


@blueprint.get("/players/me/export")
@operation(
    "players",
    "Export everything of one's own",
    {200: AnswerOf("A line of JSON for each thing.", media=(NDJSON,))},
    limit="accounts",
    scope="account",
)
def export_account(services: Services, who: Player) -> Response:
    """Each line has a `type`, and no line has a secret.

    The types: `player`, `token`, `block`, `mute`, `vacation`, `game` (a link), `note`, `message`,
    `inbox`.
    """
    services.store.masks.look()
    lines = services.store.accounts.exporting.export(who, locate(services, "/api/v1"))
    answer = Response(lines, content_type=NDJSON)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Disposition"] = 'attachment; filename="cartulary.ndjson"'
    return answer
