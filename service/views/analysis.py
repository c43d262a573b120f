"""The analysis of a game that is over: start it, and read how far it is and what it says."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.analyses.storage import DONE, Analysis
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.service.description.schemas.analysis import (
    AnalysisAnswer,
    AnalysisQuery,
    AnalysisRequest,
    AnalysisStarted,
)
from cartulary.service.http.answers import answer_changed, answer_json, locate_game, revalidate
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.problems import not_found
from cartulary.service.views.tables import find_table

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
    refusals=("not_found", "game_running", "game_not_running", "quota_exceeded"),
    limit="writes",
    token="required",
)
def start_analysis(here: Parts, game_id: str, who: Player) -> Response:
    """For everybody who sees the game, once it is over.

    A game has one analysis; a player starts ten a day. A failed analysis can be started again: it
    goes on where it was.
    """
    table = _find_table(here, game_id, who)
    analysis = here.store.asking.ask(who, table).analysis
    answer = answer_json({"status": analysis.status}, 200 if analysis.status == DONE else 202)
    answer.headers["Cache-Control"] = "no-store"
    if analysis.status != DONE:
        answer.headers["Location"] = f"{locate_game(here, table.id)}/analysis"
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
    headers=("If-None-Match",),
    refusals=("not_found",),
    token="optional",
)
def show_analysis(
    here: Parts, game_id: str, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
    """Not found until somebody has started it, and again when it has expired.

    While it is under way, `decisions` has those that are judged. `seats` is empty until it is done.
    """
    table = _find_table(here, game_id, who)
    analysis = here.store.analyses.find(table.id, table.head)
    if analysis is None:
        raise not_found("the analysis of this game")
    tag = f'"a{analysis.at}-{analysis.done}-{analysis.status}"'
    return answer_changed(
        known,
        lambda: _describe(here, table, analysis, query["after"]),
        tag,
        revalidate(table.visibility),
    )


def _find_table(here: Parts, game_id: str, who: Player | None) -> Table:
    """Return a game that has an analyst; raises `NotFound`, `Problem` 404."""
    table = find_table(here, game_id, who)
    if here.offers[table.game].analyst is None:
        raise not_found("an analysis of this game")
    return table


def _describe(here: Parts, table: Table, analysis: Analysis, after: int) -> dict[str, Any]:
    # More decisions may have been stored since then: the tag is that of those counted before.
    decisions = here.store.analyses.read_decisions(table.id, after, analysis.done)
    reason = {} if analysis.reason is None else {"reason": analysis.reason}
    return {
        "status": analysis.status,
        "progress": analysis.progress,
        "level": analysis.level,
        "decisions": [orjson.Fragment(one) for one in decisions],
        "seats": analysis.seats or [],
        **reason,
    }
