"""States: the table as it stood after any event."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response

from cartulary.events.table import Table
from cartulary.service.description.schemas.history import StateAnswer
from cartulary.service.http.conditions import etag, forever, tagged
from cartulary.service.http.context import caller, parts
from cartulary.service.http.operations import WITH_GAME, AnswerOf, operation
from cartulary.service.http.problems import not_found
from cartulary.service.views.paths import whole_in_path

blueprint = Blueprint("states", __name__)


@blueprint.get("/games/<game:game_id>/states/<version>")
@operation(
    "states",
    "The table after an event",
    {
        200: AnswerOf("The state.", StateAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has; it never changes."),
    },
    headers=("If-None-Match",),
    refusals=WITH_GAME,
    token="optional",
)
def show_state(game_id: str, version: str) -> Response:
    """For replay: the state after event `version` never changes, so it may be kept for ever."""
    number = whole_in_path(version)
    if not number:
        raise not_found(f"version {version!r}")
    who = caller()
    table = parts().store.projector.visible(game_id, who and who.id, number)
    return tagged(lambda: _state(table), etag(table.version), forever(table.visibility))


def _state(table: Table) -> dict[str, Any]:
    decision, view = table.decision, table.view_text()
    return {
        "version": table.version,
        "decision": decision and decision.to_json(),
        "view": view and orjson.Fragment(view),
    }
