"""Positions: what a program needs to think from here with the engine."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.engine.position import FORM
from cartulary.events.model.errors import GameNotRunning
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_changed, revalidate
from cartulary.service.http.conditions import tag_version
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, JsonObject, Request, text, version, whole
from cartulary.service.schemas.references import game_name

blueprint = Blueprint("positions", __name__)


class PositionAnswer(Answer):
    """A position; `Game.from_position` of the engine reads it."""

    form = whole(FORM, FORM, required=True, description="The form of the position.")
    game = game_name()
    options = JsonObject(required=True, description="All options with their values.")
    seats = whole(2, 5, required=True, description="The number of seats.")
    state = JsonObject(
        required=True,
        description="The `view` and what the future depends on besides it, in the words of the "
        "contract: `state_hash` is the SHA-256 of its canonical JSON without `dump` and "
        "`dump_hash`, which are for the engine.",
    )
    kept = fields.List(
        fields.String(),
        required=True,
        description="Outcomes of moves that were taken back: later draws take them first, in "
        "this order.",
    )
    state_hash = text("The hash of the state, as in the events.")


class PositionQuery(Request):
    """Which position."""

    version = version(text=True, description="After this event; without it: now.")


@blueprint.get("/games/<game:game_id>/position")
@operation(
    "states",
    "The position, for the engine",
    {
        200: AnswerOf("The position.", PositionAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=PositionQuery,
    refusals=("not_found", "game_not_running"),
)
def show_position(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
    """A program goes on from here with the engine: `Game.from_position` checks it and hashes again.

    It holds nothing that a player may not know. A game that has not started has no position.
    """
    table = find_table(services, game_id, who, query.get("version"))
    if table.state is None:
        raise GameNotRunning(table.status)
    tag = tag_version(table.version)
    return answer_changed(
        known, lambda: describe_position(table), tag, revalidate(table.visibility)
    )


def describe_position(table: Table) -> dict[str, Any]:
    """Return the position of a table that has started."""
    assert table.state is not None
    return table.rules.write_position(table.state, table.course.remembered)
