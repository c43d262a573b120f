"""Who has a game open, and requests for a seat."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas.base import Answer, Request, count, list_of, seat, text

blueprint = Blueprint("presence", __name__)


class PresentAnswer(Answer):
    """A seated player who has the game open."""

    seat = seat(required=True)
    id = text()
    name = text()


class PresenceAnswer(Answer):
    """Who has the game open."""

    players = list_of(PresentAnswer, "The seated players among them, by seat.")
    others = count("How many other streams of the game are open.", required=True)


class SeatAskingRequest(Request):
    """Which seat to ask for; missing: any."""

    seat = seat()


@blueprint.get("/games/<game:game_id>/presence")
@operation(
    "games",
    "Who has a game open",
    {200: AnswerOf("Who is there.", PresenceAnswer)},
    refusals=("not_found",),
)
def show_presence(services: Services, game_id: str, who: Player | None) -> Response:
    """Seated players by name, all others by number. A stream that is open counts.

    A process that dies leaves its readers here for 75 seconds.
    """
    table = find_table(services, game_id, who)
    found = services.store.presence.read(game_id).describe(table.seats_json())
    return answer_json(found, headers={"Cache-Control": "no-store"})


@blueprint.post("/games/<game:game_id>/seat_requests")
@operation(
    "seats",
    "Ask the host for a seat",
    {202: AnswerOf("The host gets the request, unless the host blocks the caller.")},
    body=SeatAskingRequest,
    body_optional=True,
    headers=("Idempotency-Key",),
    limit="writes",
    refusals=("not_found", "game_not_running", "removed", "seat_taken"),
)
def ask_for_seat(services: Services, game_id: str, who: Player, body: dict[str, Any]) -> Response:
    """The request is an item `seat_requested` in the inbox of the host.

    The host answers with an offer of the seat (`PUT /api/v1/games/{game_id}/seats/{seat}`). A
    player asks in 20 games a day at most; asking again on the same day does nothing.
    """
    services.store.seat_requests.ask(who, game_id, body.get("seat"))
    mark_stored(request.environ)
    return Response(status=202)
