"""States: the table as it stood after any event."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import describe_decision, find_table
from cartulary.service.http.answers import answer_changed, cache_forever
from cartulary.service.http.conditions import tag_version
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.schemas.base import Answer, version
from cartulary.service.schemas.references import decision, view

blueprint = Blueprint("states", __name__)


class StateAnswer(Answer):
    """The table after an event."""

    version = version(required=True)
    decision = decision()
    view = view()


@blueprint.get("/games/<game:game_id>/states/<whole:version>")
@operation(
    "states",
    "The table after an event",
    {
        200: AnswerOf("The state.", StateAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has; it never changes."),
    },
    refusals=("not_found",),
)
def show_state(
    services: Services, game_id: str, version: int, who: Player | None, known: ETags
) -> Response:
    """For replay: the state after event `version` never changes, so it may be kept for ever."""
    table = find_table(services, game_id, who, version)
    tag = tag_version(version)
    return answer_changed(known, lambda: _describe(table), tag, cache_forever(table.visibility))


def _describe(table: Table) -> dict[str, Any]:
    view = table.view_text()
    return {
        "version": table.version,
        "decision": describe_decision(table),
        "view": view and orjson.Fragment(view),
    }
