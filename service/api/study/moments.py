"""The moments of an analysed game as questions: pictures of both futures, and answers."""

from __future__ import annotations

from typing import Any, Final

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.engine.canonical import identical
from cartulary.engine.chance import RecordedSource
from cartulary.events.analyses.storage import DONE, Analysis
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.api.game.table_pictures import draw_table, require_picture
from cartulary.service.api.game.tables import find_table
from cartulary.service.api.study.moments_schema import (
    MomentAttempt,
    MomentBoardQuery,
    MomentJudged,
)
from cartulary.service.http.answers import answer_json, cache_for_a_day
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found

blueprint = Blueprint("moments", __name__)

SVG: Final = "image/svg+xml"

CLOSE: Final = 0.5
"""A move that costs at most so many points against the best one is right as well."""


@blueprint.get("/games/<game:game_id>/analysis/moments/<whole:version>/board.svg")
@operation(
    "analysis",
    "What might have followed a moment",
    {
        200: AnswerOf("The picture.", media=(SVG,), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=MomentBoardQuery,
    refusals=("not_found",),
)
def show_moment(
    services: Services,
    game_id: str,
    version: int,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """The board after some moves of one of the two futures of a moment.

    The moments are those of `GET …/analysis`. `step` 0 is the position in question.
    """
    future, step = query.pop("future"), query.pop("step")
    analysis, moment = _find(services, game_id, who, version)
    moves = moment[future]["moves"]
    if step > len(moves):
        raise invalid("/step", f"this future has {len(moves)} moves")
    table = find_table(services, game_id, who, version - 1)
    wish = "-".join(str(query[name]) for name in sorted(query))
    tag = f'W/"m{analysis.at}-{version}-{future}-{step}-{table.head[:16]}-{wish}-{lang}"'
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        answer = Response(_draw(services, table, moment[future], step, lang, query), mimetype=SVG)
        answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
        compress(answer)
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = cache_for_a_day(table.visibility)
    answer.vary.update(("Authorization",))
    return mark_language(answer, lang)


def _draw(
    services: Services,
    table: Table,
    future: dict[str, Any],
    step: int,
    lang: str,
    wishes: dict[str, Any],
) -> str:
    assert table.play is not None
    picture = require_picture(services, table)
    play = table.play.copy()
    source = RecordedSource(future["draws"])
    made = future["moves"][:step]
    for entry in made:
        play.state.apply(entry["move"], source)
    last = {"last_move": made[-1]} if made else {}
    return draw_table(services, picture, table._replace(play=play), lang, **last, **wishes)


@blueprint.post("/games/<game:game_id>/analysis/moments/<whole:version>/attempts")
@operation(
    "analysis",
    "Answer a moment",
    {200: AnswerOf("How good the answer is.", MomentJudged)},
    body=MomentAttempt,
    refusals=("not_found",),
    limit="previews",
    scope="play",
)
def answer_moment(
    services: Services, game_id: str, version: int, who: Player, body: dict[str, Any]
) -> Response:
    """For everybody who sees the game. A moment of the caller's own is put away by a right answer.

    After a wrong answer it comes back in three days (`GET /players/me/learning`). Nothing is
    stored of the answers of others.
    """
    _, moment = _find(services, game_id, who, version)
    decision = _find_decision(services, game_id, version)
    move = body["move"]
    if not any(identical(move, legal) for legal in moment["moves"]):
        raise invalid("/move", "this move was not legal at that moment")
    judged = _judge(decision, move)
    services.store.returned_mistakes.answer(who.id, game_id, version, judged["right"])
    return answer_json(judged, headers={"Cache-Control": "no-store"})


def _judge(decision: dict[str, Any], move: dict[str, Any]) -> dict[str, Any]:
    """Return how good a move is: its value is null when the analysis has not considered it."""
    values = {
        orjson.dumps(one["move"], option=orjson.OPT_SORT_KEYS): one["value"]
        for one in decision["alternatives"]
    }
    values[orjson.dumps(decision["move"], option=orjson.OPT_SORT_KEYS)] = decision["value"]
    values[orjson.dumps(decision["best"], option=orjson.OPT_SORT_KEYS)] = decision["best_value"]
    value = values.get(orjson.dumps(move, option=orjson.OPT_SORT_KEYS))
    loss = None if value is None else round(max(0.0, decision["best_value"] - value), 2)
    made = move == decision["move"]
    return {
        "right": loss is not None and loss <= CLOSE and not made,
        "best": move == decision["best"],
        "made": made,
        "loss": loss,
    }


def _find(
    services: Services, game_id: str, who: Player | None, version: int
) -> tuple[Analysis, dict[str, Any]]:
    """Return a finished analysis and a moment of it; raises `Problem` 404."""
    table = find_table(services, game_id, who)
    analysis = services.store.analyses.find(table.id, table.head)
    if analysis is None or analysis.status != DONE:
        raise not_found("the analysis of this game")
    for moment in analysis.moments:
        if moment["version"] == version:
            return analysis, moment
    raise not_found("this moment")


def _find_decision(services: Services, game_id: str, version: int) -> dict[str, Any]:
    """Return the decision of a moment; raises `Problem` 404 when the analysis has just expired."""
    decisions = map(orjson.loads, services.store.analyses.read_decisions(game_id, version - 1))
    found = next((one for one in decisions if one["version"] == version), None)
    if found is None:
        raise not_found("the analysis of this game")
    return dict(found)
