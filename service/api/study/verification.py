"""Verification: whether a game follows from its events."""

from __future__ import annotations

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.costly_results import WaitingRequest, take_turn
from cartulary.service.http.shared.services import Services
from cartulary.service.http.shared.verifications import LIMIT, VerificationKey
from cartulary.service.http.wire.observer import HELD
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, count, list_of, nullable, text, version, whole

blueprint = Blueprint("verification", __name__)


class VerificationProblem(Answer):
    """A place where the events disagree with the rules or with each other."""

    version = whole(0, required=True)
    problem = text("Stable; for programs.")
    detail = text()


class FairAnswer(Answer):
    """What is proved of the draws of a game."""

    scheme = text("`cartulary-fair/1`.")
    commitment = text("The last commitment: SHA-256 of the secret.")
    given = count("Outcomes that a transcript gave: not drawn.", required=True)
    draws = count("Draws so far.", required=True)
    state = text(
        "`hidden` until the last event reveals the secret, or the tournament of a duplicate closes "
        "the round. `proved`: commitment, seed and every draw after the last renewal hold. `lost`: "
        "the secret of the round is lost.",
        validate=validate.OneOf(["hidden", "proved", "failed", "lost"]),
    )
    round = fields.String(
        description="Games of a duplicate round: `<tournament>/<number>`. All games of the round "
        "have the same commitment."
    )
    entropy = fields.String(
        description="Games of a duplicate round: the only entropy of the seed, that of the "
        "tournament."
    )
    renewed_at = fields.List(
        version(), required=True, description="Versions at which the secret was lost and replaced."
    )


class VerificationAnswer(Answer):
    """Whether the game follows from its events."""

    valid = fields.Boolean(required=True)
    version = version(required=True)
    problems = list_of(VerificationProblem)
    head = text("Hash of the last event; empty when that is unreadable.")
    chained_from = whole(
        1,
        required=True,
        allow_none=True,
        description="Version of the first event that names the hash of the event before it. "
        "Null for a game that ended before there was a chain.",
    )
    masked = count("Events with a deleted name.", required=True)
    fair = nullable(FairAnswer)


@blueprint.get("/games/<game:game_id>/verification")
@operation(
    "verification",
    "Verify a game",
    {200: AnswerOf("What was found.", VerificationAnswer)},
    refusals=("not_found", "rate_limited"),
)
def verify_game(services: Services, game_id: str, who: Player | None) -> Response:
    """Rebuilds the game from its events: legality, gaps, state hashes, the result.

    It also checks that each event names the hash of the event before it. A process computes one
    verification at a time and remembers the report of a game that holds, by the hash of its last
    event. A player, and an address without a token, may ask for a bounded number of reports that
    are not remembered.
    """
    key, visibility = _find_key(services, game_id, who)
    found = services.verifications.find(key)
    if found is None:
        if not take_turn(services.limits, services.verifications, LIMIT, who and who.id):
            request.environ[HELD] = True
            return Response(WaitingRequest(services.verifications, key), direct_passthrough=True)
        found = services.verifications.compute(key)
    return set_caching(answer_json(found), revalidate(visibility))


def _find_key(services: Services, game_id: str, who: Player | None) -> tuple[VerificationKey, str]:
    """Return what the report on a game depends on, and its visibility. Raises `NotFound`."""
    deleted = len(services.store.masks.deleted)
    try:
        table = _find_outline(services, game_id, who)
        head = services.store.ledger.last([game_id])[0].hash
    except BrokenHistory:  # the archive cannot give a single event of it
        return VerificationKey(game_id, "", 0, deleted), "private"
    rules = table.rules.rules_version
    return VerificationKey(game_id, head, rules, deleted, table.opened_at), table.visibility


def _find_outline(services: Services, game_id: str, who: Player | None) -> Table:
    """Return a game that the caller may see; before its start when it cannot be folded.

    Events that cannot be folded are what the caller asks about. Raises `NotFound`.
    """
    try:
        return find_table(services, game_id, who)
    except (BrokenHistory, UnknownEvent):
        table = services.store.projector.outline(game_id)
    if not table.visible_to(who and who.id):
        raise NotFound(f"there is no game {game_id}")
    return table
