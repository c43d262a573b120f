"""The analysis of a game that is over: start it, and read how far it is and what it says."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.analyses.storage import DONE, Analysis
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.tables import find_table
from cartulary.service.api.study.analysis_schema import (
    AnalysisAnswer,
    AnalysisQuery,
    AnalysisRequest,
    AnalysisStarted,
)
from cartulary.service.http.answers import answer_changed, answer_json, locate_game, revalidate
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("analysis", __name__)


@blueprint.post("/games/<game:game_id>/analysis")
@operation(
    "analysis",
    "Start the analysis of a game",
    {
        202: AnswerOf(
            "It is queued, or under way.", AnalysisStarted, headers=("Location", *STANDING)
        ),
        200: AnswerOf("It is there already.", AnalysisStarted),
    },
    body=AnalysisRequest,
    body_optional=True,
    refusals=("not_found", "game_running", "game_not_running", "round_open", "quota_exceeded"),
    limit="writes",
)
def start_analysis(services: Services, game_id: str, who: Player) -> Response:
    """For everybody who sees the game, once it is over.

    A game has one analysis; a player starts ten a day. A failed analysis can be started again: it
    goes on where it was.
    """
    table = _find_table(services, game_id, who)
    analysis = services.store.asking.ask(who, table).analysis
    answer = answer_json({"status": analysis.status}, 200 if analysis.status == DONE else 202)
    answer.headers["Cache-Control"] = "no-store"
    if analysis.status != DONE:
        answer.headers["Location"] = f"{locate_game(services, table.id)}/analysis"
    return answer


@blueprint.get("/games/<game:game_id>/analysis")
@operation(
    "analysis",
    "The analysis of a game",
    {
        200: AnswerOf("The analysis as it stands.", AnalysisAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=AnalysisQuery,
    refusals=("not_found",),
)
def show_analysis(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
    """Not found until a player has started it, and again when it has expired.

    While it is under way, `decisions` has those that are judged. `seats` is empty until it is done.
    """
    table = _find_table(services, game_id, who)
    analysis = services.store.analyses.find(table.id, table.head)
    if analysis is None:
        raise not_found("the analysis of this game")
    tag = f'"a{analysis.at}-{analysis.done}-{analysis.status}"'
    return answer_changed(
        known,
        lambda: _describe(services, table, analysis, query["after"]),
        tag,
        revalidate(table.visibility),
    )


def _find_table(services: Services, game_id: str, who: Player | None) -> Table:
    """Return a game that has an analyst; raises `NotFound`, `Problem` 404."""
    table = find_table(services, game_id, who)
    if services.offers[table.game].analyst is None:
        raise not_found("an analysis of this game")
    return table


def _describe(services: Services, table: Table, analysis: Analysis, after: int) -> dict[str, Any]:
    # More decisions may have been stored since then: the tag is that of those counted before.
    decisions = services.store.analyses.read_decisions(table.id, after, analysis.done)
    reason = {} if analysis.reason is None else {"reason": analysis.reason}
    return {
        "status": analysis.status,
        "progress": analysis.progress,
        "level": analysis.level,
        "decisions": [orjson.Fragment(one) for one in decisions],
        "seats": analysis.seats or [],
        "moments": list(analysis.moments),
        **reason,
    }
