"""Players for operators: found, shown, and what is decided about them; the log of all that."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.model import names
from cartulary.events.order.orders import Order
from cartulary.events.people.players import Player
from cartulary.service.api.order.describing import describe_log, describe_standing
from cartulary.service.api.order.order_schema import (
    LogLineListAnswer,
    LogQuery,
    OperatorPlayerQuery,
    OrderDoneAnswer,
    OrderRequest,
    PlayerStandingAnswer,
    PlayerStandingListAnswer,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("operator_players", __name__)

FRESH = {"Cache-Control": "no-store"}


@blueprint.get("/operator/players")
@operation(
    "operators",
    "Find players",
    {200: AnswerOf("The players.", PlayerStandingListAnswer)},
    query=OperatorPlayerQuery,
    scope="operator",
)
def find_any_players(services: Services, who: Player, query: dict[str, Any]) -> Response:  # noqa: ARG001  the caller
    """By id, or by the beginning of the name; also players who hide."""
    name = query["name"].strip()
    if not 1 <= len(name) <= names.LONGEST:
        raise invalid("/name", f"give 1 to {names.LONGEST} letters")
    standings = services.store.office.standings
    found = [standings.describe(one) for one in standings.search(name)]
    shown = [describe_standing(services.store, one) for one in found]
    return answer_json({"players": shown}, headers=FRESH)


@blueprint.get("/operator/players/<player_id>")
@operation(
    "operators",
    "How a player stands",
    {200: AnswerOf("The player.", PlayerStandingAnswer)},
    scope="operator",
    refusals=("not_found",),
)
def show_standing(services: Services, who: Player, player_id: str) -> Response:  # noqa: ARG001  the caller
    """Of a player who is gone the refusal says what has become of the account."""
    office = services.store.office
    standing = office.standings.describe(office.orders.find(player_id))
    return answer_json(describe_standing(services.store, standing), headers=FRESH)


@blueprint.post("/operator/players/<player_id>/orders")
@operation(
    "operators",
    "Decide about a player",
    {200: AnswerOf("Done, and in the log.", OrderDoneAnswer)},
    body=OrderRequest,
    limit="writes",
    scope="operator",
    refusals=("not_found",),
)
def give_order(services: Services, who: Player, player_id: str, body: dict[str, Any]) -> Response:
    """The player reads it in the inbox with the reason.

    A suspended player leaves all games and seeks, and is refused whatever writes, with 403
    `suspended`: to read, to export and to delete the account stays possible. Operators are refused
    as an object of orders.
    """
    store = services.store
    wish = Order(player_id=player_id, by=who.id, **body)
    entry = store.office.orders.give(wish)
    mark_stored(request.environ)
    after = store.players.by_id(player_id)
    standing = after and describe_standing(store, store.office.standings.describe(after))
    (shown,) = describe_log(store, [entry])
    return answer_json({"entry": shown, "player": standing}, headers=FRESH)


@blueprint.get("/operator/log")
@operation(
    "operators",
    "What operators have decided",
    {200: AnswerOf("The lines.", LogLineListAnswer)},
    query=LogQuery,
    scope="operator",
    refusals=("bad_cursor",),
)
def show_operator_log(services: Services, who: Player, query: dict[str, Any]) -> Response:  # noqa: ARG001  the caller
    """The newest first. Nothing is ever removed from the log."""
    if not services.store.office.log.is_cursor(query["cursor"]):
        raise Problem("bad_cursor", "take `next_cursor` of a page of the log")
    page = services.store.office.log.read(query["cursor"])
    shown = describe_log(services.store, page.entries)
    return answer_json({"entries": shown, "next_cursor": page.next_cursor}, headers=FRESH)
