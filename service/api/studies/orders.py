"""What operators see of studies and decide about them: hidden, or shown again."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.order.study_decisions import StudyOrder
from cartulary.events.people.players import Player
from cartulary.service.api.studies.reading import DONE, SAME, answer_study_written, show_study
from cartulary.service.api.studies.studies_schema import StudyAnswer, StudyOrderRequest
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("study_orders", __name__)


@blueprint.get("/operator/studies/<study_id>")
@operation(
    "operators",
    "Show a study to an operator",
    {200: AnswerOf("The study.", StudyAnswer)},
    scope="operator",
    refusals=("not_found",),
)
def show_study_to_operator(services: Services, who: Player, study_id: str) -> Response:
    """Any study, private or hidden, as its authors see it."""
    found = services.store.office.studies.read(study_id)
    shown = show_study(services, study_id, found.study, who)
    return answer_json(shown, headers={"Cache-Control": "no-store"})


@blueprint.post("/operator/studies/<study_id>/orders")
@operation(
    "operators",
    "Decide about a study",
    {200: SAME, 201: DONE},
    body=StudyOrderRequest,
    limit="writes",
    scope="operator",
    refusals=("not_found", "stale_version"),
)
def order_study(
    services: Services, who: Player, study_id: str, body: dict[str, Any], key: str | None
) -> Response:
    """A study that is hidden stands in no list, and others than its authors get 404.

    Invitations to it end. Its authors read the reason, and may change or delete it. When it is
    shown again others read it from there on: what was taken out meanwhile stays between its
    authors.
    """
    intent = Intent(who, key=key, body=body)
    done = services.store.office.studies.order(intent, study_id, StudyOrder(**body))
    return answer_study_written(services, study_id, done, who)
