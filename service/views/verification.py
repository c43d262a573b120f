"""Verification: whether a game follows from its events."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.errors import NotFound
from cartulary.events.players import Player
from cartulary.service.description.schemas.resources import VerificationAnswer
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("verification", __name__)


@blueprint.get("/games/<game:game_id>/verification")
@operation(
    "verification",
    "Verify a game",
    {200: AnswerOf("What was found.", VerificationAnswer)},
    refusals=("not_found",),
    token="optional",
)
def verify_game(here: Parts, game_id: str, who: Player | None) -> Response:
    """Rebuilds the game from its events: legality, gaps, state hashes, the result."""
    # The outline needs no moves: moves that cannot be folded are what the caller asks about.
    table = here.store.projector.outline(game_id)
    if not table.visible_to(who and who.id):
        raise NotFound(f"there is no game {game_id}")
    found = here.store.audit.game(game_id).to_json()
    return set_caching(answer_json(found), revalidate(table.visibility))
