"""Verification: whether a game follows from its events."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.errors import NotFound
from cartulary.service.description.schemas.resources import VerificationAnswer
from cartulary.service.http.bodies import json_response
from cartulary.service.http.conditions import fresh, kept
from cartulary.service.http.context import caller, parts
from cartulary.service.http.operations import WITH_GAME, AnswerOf, operation

blueprint = Blueprint("verification", __name__)


@blueprint.get("/games/<game:game_id>/verification")
@operation(
    "verification",
    "Verify a game",
    {200: AnswerOf("What was found.", VerificationAnswer)},
    refusals=WITH_GAME,
    token="optional",
)
def verify_game(game_id: str) -> Response:
    """Rebuilds the game from its events: legality, gaps, state hashes, the result."""
    who = caller()
    store = parts().store
    # The outline also stands when the moves cannot be folded, which is what is asked about.
    table = store.projector.outline(game_id)
    if not table.visible_to(who and who.id):
        raise NotFound(f"there is no game {game_id}")
    return kept(json_response(store.audit.game(game_id).to_json()), fresh(table.visibility))
