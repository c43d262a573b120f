"""Blocks: players with whom the caller wants to have nothing to do."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.service.api.people.ties import TieAnswer, describe_ties, require_other
from cartulary.service.api.people.tokens import SECRET
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas.base import Answer, list_of

blueprint = Blueprint("blocks", __name__)


class BlockAnswer(TieAnswer):
    """A player whom the caller blocks."""


class BlockListAnswer(Answer):
    """Whom the caller blocks, the longest blocked first."""

    blocks = list_of(BlockAnswer)


@blueprint.get("/players/me/blocks")
@operation(
    "players", "List whom one blocks", {200: AnswerOf("The blocked players.", BlockListAnswer)}
)
def list_blocks(services: Services, who: Player) -> Response:
    """Only the caller learns of it."""
    found = services.store.blocks.list_of(who.id)
    return answer_json({"blocks": describe_ties(services, found)}, headers=SECRET)


@blueprint.put("/players/me/blocks/<player_id>")
@operation(
    "players",
    "Block a player",
    {204: AnswerOf("Blocked.")},
    limit="writes",
    refusals=("not_found", "quota_exceeded"),
)
def block_player(services: Services, who: Player, player_id: str) -> Response:
    """A blocked player cannot sit down at the caller's tables, nor invite or write to the caller.

    The blocked player learns of no block. Seats that the player holds already stay.
    """
    require_other(services, who, player_id)
    services.store.blocks.add(who.id, player_id)
    return answer_stored()


@blueprint.delete("/players/me/blocks/<player_id>")
@operation(
    "players",
    "Block a player no longer",
    {204: AnswerOf("Not blocked, or no longer.")},
    limit="writes",
)
def unblock_player(services: Services, who: Player, player_id: str) -> Response:
    """Also for a player who was not blocked."""
    services.store.blocks.remove(who.id, player_id)
    return answer_stored()
