"""Boards: the picture of the table, now or after any event."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.table import Table
from cartulary.service.description.schemas.requests import BoardQuery
from cartulary.service.http.bodies import form_of_answer
from cartulary.service.http.compression import packed
from cartulary.service.http.conditions import forever, fresh, not_modified
from cartulary.service.http.context import caller, parts
from cartulary.service.http.languages import language, spoken
from cartulary.service.http.operations import WITH_GAME, AnswerOf, operation
from cartulary.service.http.problems import not_found
from cartulary.service.http.queries import read_query
from cartulary.service.views.drawing import drawn

blueprint = Blueprint("boards", __name__)
_QUERY = BoardQuery()

SVG = "image/svg+xml"
TEXT = "text/plain"
"""The source of the picture, for whoever wants to read it."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a picture that is opened by itself: it may style itself and nothing else."""


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
    refusals=WITH_GAME,
    token="optional",
)
def show_board(game_id: str) -> Response:
    """Every place that a move can name carries its contract id in the picture.

    The attributes are `data-space`, `data-x`, `data-y`, `data-segment`, `data-building` and
    `data-line`. With `version` the picture never changes and may be kept for ever. There is none
    before the start. With `Accept: text/plain` it is sent as text to be read.
    """
    query = read_query(_QUERY)
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
    form = form_of_answer(SVG, TEXT)
    answer = Response(drawn(table, lang, **query), mimetype=form)
    answer.headers["Content-Security-Policy"] = _POLICY
    return packed(answer)
