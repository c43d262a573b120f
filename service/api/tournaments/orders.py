"""What operators order in tournaments, also in private ones and where the host is gone."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.order.tournament_decisions import TournamentOrder
from cartulary.events.people.players import Player
from cartulary.service.api.tournaments.reading import answer_tournament_written, set_expected
from cartulary.service.api.tournaments.tournament_answers import TournamentWrittenAnswer
from cartulary.service.api.tournaments.tournament_requests import TournamentOrderRequest
from cartulary.service.http.conditions import Versions
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services

_HEADERS = ("ETag", "Idempotency-Replayed", *STANDING)
blueprint = Blueprint("tournament_orders", __name__)


@blueprint.post("/operator/tournaments/<tournament_id>/orders")
@operation(
    "operators",
    "Decide about a tournament",
    {
        200: AnswerOf(
            "Done.", TournamentWrittenAnswer, headers=("ETag", "Idempotency-Replayed", *STANDING)
        )
    },
    body=TournamentOrderRequest,
    limit="writes",
    scope="operator",
    refusals=(
        *("not_found", "stale_version", "tournament_started", "tournament_full", "not_entered"),
        "seats_open",
    ),
)
def order_tournament(
    services: Services,
    tournament_id: str,
    who: Player,
    body: dict[str, Any],
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """In place of a host who is gone, or against one: start, call off, remove, reinstate.

    The stream and the log of the operators keep the reason. Who was gone before the start is
    reinstated until then only. `events` is empty where it is so already.
    """
    intent = set_expected(services, tournament_id, if_match, Intent(who, key=key, body=body))
    order = TournamentOrder(**body)
    done = services.store.office.tournaments.order(intent, tournament_id, order)
    return answer_tournament_written(services, tournament_id, done, 200)
