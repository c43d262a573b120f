"""Again: try a move before it is made."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.history import PreviewAnswer
from cartulary.service.description.schemas.requests import PreviewRequest
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.shortcuts import is_plain_preview

blueprint = Blueprint("again", __name__)


@blueprint.post("/games/<game:game_id>/preview")
@operation(
    "moves",
    "Try a move",
    {200: AnswerOf("What the move would lead to.", PreviewAnswer)},
    body=PreviewRequest,
    quick=is_plain_preview,
    limit="previews",
    refusals=(
        *("not_found", "not_seated", "game_not_running", "stale_version"),
        *("not_your_turn", "illegal_move"),
    ),
    token="required",
    stores_nothing=True,
)
def preview_move(here: Parts, game_id: str, who: Player, body: dict[str, Any]) -> Response:
    """Say what a move would lead to, up to the first draw; store nothing.

    A preview refuses a move for the reasons for which `POST …/moves` refuses it.
    """
    found = describe_preview(here, game_id, who, body)
    return answer_json(found, headers={"Cache-Control": "no-store"})


def describe_preview(
    here: Parts, game_id: str, who: Player, body: dict[str, Any]
) -> dict[str, Any]:
    """Return the members of the answer to a preview; raises what `Commands.move` raises."""
    found = here.store.commands.again.preview(who, game_id, body["move"], body.get("version"))
    return {**found._asdict(), "view": orjson.Fragment(found.view)}
