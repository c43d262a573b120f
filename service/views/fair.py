"""Fair draws: a commitment that the opener of a game sees before choosing an entropy."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.verification import CommitmentAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.shortcuts import environ

blueprint = Blueprint("fair", __name__)


@blueprint.post("/fair/commitments")
@operation(
    "fair",
    "Ask for a commitment beforehand",
    {201: AnswerOf("Made.", CommitmentAnswer)},
    limit="writes",
    token="required",
)
def make_commitment(here: Parts, who: Player) -> Response:
    """The service commits to a secret before it knows the entropy of the opener.

    The commitment is for one game of the caller, within ten minutes.
    """
    made = here.store.commands.commit(who)
    mark_stored(environ())
    return answer_json(made._asdict(), 201, {"Cache-Control": "no-store"})
