"""Everything of the caller, as a file."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.http.answers import locate
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("exporting", __name__)

NDJSON = "application/x-ndjson"


@blueprint.get("/players/me/export")
@operation(
    "players",
    "Export everything of one's own",
    {200: AnswerOf("A line of JSON for each thing.", media=(NDJSON,))},
    limit="accounts",
    token="required",
    scope="account",
)
def export_account(here: Parts, who: Player) -> Response:
    """Each line has a `type`, and no line has a secret.

    The types: `player`, `token`, `block`, `mute`, `vacation`, `game` (a link), `note`, `message`,
    `inbox`.
    """
    here.store.masks.look()
    lines = here.store.exporting.export(who, locate(here, "/api/v1"))
    answer = Response(lines, content_type=NDJSON)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Disposition"] = 'attachment; filename="cartulary.ndjson"'
    return answer
