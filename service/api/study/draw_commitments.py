"""Fair draws: a commitment that the opener of a game sees before choosing an entropy."""

from __future__ import annotations

from flask import Blueprint, Response, request

from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas.commitments import DrawCommitmentAnswer

blueprint = Blueprint("draw_commitments", __name__)


@blueprint.post("/fair/commitments")
@operation(
    "fair",
    "Ask for a commitment beforehand",
    {201: AnswerOf("Made.", DrawCommitmentAnswer)},
    limit="writes",
)
def make_commitment(services: Services, who: Player) -> Response:
    """The service commits to a secret before it knows the entropy of the opener.

    The commitment is for one game of the caller, within ten minutes.
    """
    made = services.store.commands.commit(who)
    mark_stored(request.environ)
    return answer_json(made._asdict(), 201, {"Cache-Control": "no-store"})
