"""Reports for operators: listed, shown with their context, answered."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.chat.complaints import PAGE
from cartulary.events.order.answers import OperatorReply
from cartulary.events.people.players import Player
from cartulary.service.api.order.describing import describe_details, describe_report
from cartulary.service.api.order.order_schema import (
    ReportDetailsAnswer,
    ReportQuery,
    ReportReplyRequest,
    ReportSummaryListAnswer,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("operator_reports", __name__)

FRESH = {"Cache-Control": "no-store"}


@blueprint.get("/operator/reports")
@operation(
    "operators",
    "List the reports of players",
    {200: AnswerOf("The reports.", ReportSummaryListAnswer)},
    query=ReportQuery,
    scope="operator",
    refusals=("bad_cursor",),
)
def list_reports(services: Services, who: Player, query: dict[str, Any]) -> Response:  # noqa: ARG001  the caller
    """The oldest first; by default those that are open."""
    status, cursor = query["status"], query["cursor"]
    complaints = services.store.complaints
    if not complaints.is_cursor(cursor):
        raise Problem("bad_cursor", "take `next_cursor` of a page of the reports")
    page = complaints.read_page(status, cursor, PAGE)
    shown = [describe_report(one) for one in page.complaints]
    return answer_json({"reports": shown, "next_cursor": page.next_cursor}, headers=FRESH)


@blueprint.get("/operator/reports/<report_id>")
@operation(
    "operators",
    "Show a report with its context",
    {200: AnswerOf("The report.", ReportDetailsAnswer)},
    scope="operator",
    refusals=("not_found",),
)
def show_report(services: Services, who: Player, report_id: str) -> Response:  # noqa: ARG001  the caller
    """With the messages around the one reported, and what is known of the player."""
    report = services.store.office.answers.find(report_id)
    return answer_json(describe_details(services.store, report), headers=FRESH)


@blueprint.post("/operator/reports/<report_id>/answer")
@operation(
    "operators",
    "Answer a report, and close it",
    {200: AnswerOf("The report, closed.", ReportDetailsAnswer)},
    body=ReportReplyRequest,
    limit="writes",
    scope="operator",
    refusals=("not_found",),
)
def answer_report(
    services: Services, who: Player, report_id: str, body: dict[str, Any]
) -> Response:
    """The player who has reported reads the answer in the inbox. A second answer replaces it."""
    said = OperatorReply(
        who.id, body["answer"].strip(), body["note"].strip(), body["delete_message"]
    )
    report = services.store.office.answers.answer(report_id, said)
    mark_stored(request.environ)
    return answer_json(describe_details(services.store, report), headers=FRESH)
