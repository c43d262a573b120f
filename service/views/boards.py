"""Boards: the picture of the table, now or after any event."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

import locales
import pictures
from events.table import Table
from service.bodies import load
from service.conditions import forever, fresh, not_modified
from service.context import caller, parts
from service.languages import language, names_of, spoken
from service.operations import WITH_GAME, AnswerOf, operation
from service.packing import packed
from service.problems import not_found
from service.schemas.requests import BoardQuery

blueprint = Blueprint("boards", __name__)
_QUERY = BoardQuery()

SVG = "image/svg+xml"
TEXT = "text/plain"
"""The source of the picture, for whoever wants to read it."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a picture that is opened by itself: it may style itself and nothing else."""

LATEST_MOVE_WITHIN = 2
"""Events that may follow the last move: the count of the score, or an end without one."""


@blueprint.get("/games/<game:game_id>/board.svg")
@operation(
    "states",
    "The picture of the table",
    {
        200: AnswerOf("The picture.", media=(SVG, TEXT), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=BoardQuery,
    headers=("If-None-Match", "Accept-Language"),
    refusals=(*WITH_GAME, "invalid"),
    token="optional",
)
def show_board(game_id: str) -> Response:
    """Every place that a move can name carries its contract id in the picture.

    The attributes are `data-space`, `data-x`, `data-y`, `data-segment`, `data-building` and
    `data-line`. With `version` the picture never changes and may be kept for ever. There is none
    before the start. With `Accept: text/plain` it is sent as text to be read.
    """
    query = load(_QUERY, request.args.to_dict())
    who = caller()
    version: int | None = query.pop("version")
    table = parts().store.projector.visible(game_id, who and who.id, version)
    if table.state is None:
        raise not_found("a picture of a game that has not started")
    lang = language()
    tag = f'W/"v{table.version}-{query["layout"]}-{query["theme"]}-{query["seat"]}-{lang}"'
    answer = _picture(table, lang, tag, query)
    lasting = fresh if version is None else forever
    answer.headers["Cache-Control"] = lasting(table.visibility)
    answer.headers["ETag"] = tag
    answer.vary.update(("Accept", "Authorization"))
    return spoken(answer, lang)


def _picture(table: Table, lang: str, tag: str, query: dict[str, Any]) -> Response:
    if not_modified(tag.removeprefix("W/")):
        return Response(status=304)
    form = request.accept_mimetypes.best_match((SVG, TEXT), SVG)
    answer = Response(_draw(table, lang, query), mimetype=form)
    answer.headers["Content-Security-Policy"] = _POLICY
    return packed(answer)


def _draw(table: Table, lang: str, query: dict[str, Any]) -> str:
    assert table.state is not None
    decision = table.decision
    return pictures.draw(
        table.game,
        table.state.view(),
        decision=decision and decision.to_json(),
        players=names_of(table, lang),
        status=table.status,
        result=table.result,
        last_move=_last_move(table),
        words=locales.picture_words(lang),
        **query,
    )


def _last_move(table: Table) -> dict[str, Any] | None:
    before = max(table.version - LATEST_MOVE_WITHIN - 1, 0)
    events = parts().store.ledger.events(table.id, before, table.version - before)
    moves = [event for event in events if event["type"] == "move_made"]
    return moves[-1] if moves else None
