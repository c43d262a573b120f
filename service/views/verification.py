"""Verification: whether a game follows from its events."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.errors import BrokenHistory, NotFound, UnknownEvent
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.service.description.schemas.verification import VerificationAnswer
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.observe import HELD
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.results import Turn, take_turn
from cartulary.service.http.verifications import LIMIT, Key
from cartulary.service.shortcuts import environ
from cartulary.service.views.tables import find_table

blueprint = Blueprint("verification", __name__)


@blueprint.get("/games/<game:game_id>/verification")
@operation(
    "verification",
    "Verify a game",
    {200: AnswerOf("What was found.", VerificationAnswer)},
    refusals=("not_found", "rate_limited"),
    token="optional",
)
def verify_game(here: Parts, game_id: str, who: Player | None) -> Response:
    """Rebuilds the game from its events: legality, gaps, state hashes, the result.

    It also checks that each event names the hash of the event before it. A process computes one
    verification at a time and remembers the report of each last event, by its hash. A player, and
    an address without a token, may ask for a bounded number of reports that are not remembered.
    """
    table = _find_outline(here, game_id, who)
    head = here.store.ledger.last([game_id])[0].hash
    deleted = len(here.store.masks.deleted)
    key = Key(game_id, head, table.rules.rules_version, deleted)
    found = here.verifications.find(key)
    if found is None:
        if not take_turn(here, here.verifications, LIMIT, who and who.id):
            environ()[HELD] = True
            return Response(Turn(here.verifications, key), direct_passthrough=True)
        found = here.verifications.compute(key)
    return set_caching(answer_json(found), revalidate(table.visibility))


def _find_outline(here: Parts, game_id: str, who: Player | None) -> Table:
    """Return a game that the caller may see; before its start when it cannot be folded.

    Events that cannot be folded are what the caller asks about. Raises `NotFound`.
    """
    try:
        return find_table(here, game_id, who)
    except (BrokenHistory, UnknownEvent):
        table = here.store.projector.outline(game_id)
    if not table.visible_to(who and who.id):
        raise NotFound(f"there is no game {game_id}")
    return table
