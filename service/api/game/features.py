"""Features: what lies on several places of the board together, and what it is worth."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.features_schema import FeatureListAnswer, FeaturesQuery
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_changed, cache_forever, revalidate
from cartulary.service.http.conditions import tag_version
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("features", __name__)


@blueprint.get("/games/<game:game_id>/features")
@operation(
    "states",
    "The features on the board",
    {
        200: AnswerOf("The features.", FeatureListAnswer, headers=("ETag",)),
        304: AnswerOf("They are those that the client has."),
    },
    query=FeaturesQuery,
    refusals=("not_found",),
)
def list_features(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
    """Cities, roads, monasteries and farms with their size, their followers and their worth.

    A game without such things, and a game before its start, has no features.
    """
    version: int | None = query["version"]
    table = find_table(services, game_id, who, version)
    caching = (revalidate if version is None else cache_forever)(table.visibility)
    return answer_changed(known, lambda: _describe(table), tag_version(table.version), caching)


def _describe(table: Table) -> dict[str, Any]:
    features = [] if table.state is None else table.state.list_features()
    return {"version": table.version, "features": features}
