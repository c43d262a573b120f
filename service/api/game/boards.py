"""Boards: the picture of the table, now or after any event."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.people.players import Player
from cartulary.service.api.game.boards_schema import BoardQuery
from cartulary.service.api.game.table_pictures import draw_table, require_picture
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import cache_for_a_day, revalidate
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known, name_shown
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("boards", __name__)

SVG = "image/svg+xml"
TEXT = "text/plain"
"""The source of the picture, for people to read."""
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
    refusals=("not_found",),
)
def show_board(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
    form: str,
) -> Response:
    """Every place that a move can name carries its contract id in the picture.

    The attributes are `data-space`, `data-x`, `data-y`, `data-segment`, `data-building` and
    `data-line`. With `version` the picture changes only when a name in it is deleted. There is no
    picture before the start, and none of a game that has no picture: 404 `not_found`. With
    `Accept: text/plain` it is sent as text to be read. Programs that know no custom properties
    of CSS draw it with `style=plain`.
    """
    version: int | None = query.pop("version")
    table = find_table(services, game_id, who, version)
    picture = require_picture(services, table)
    shown = name_shown(services, table)
    wish = "-".join(str(query[name]) for name in sorted(query))
    tag = f'W/"{shown}-{wish}-{lang}"'
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        query["plain"] = query.pop("style") == "plain"
        answer = _answer_picture(draw_table(services, picture, table, lang, **query), form)
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = (revalidate if version is None else cache_for_a_day)(
        table.visibility
    )
    answer.vary.update(("Accept", "Authorization"))
    return mark_language(answer, lang)


def _answer_picture(picture: str, form: str) -> Response:
    answer = Response(picture, mimetype=form)
    answer.headers["Content-Security-Policy"] = _POLICY
    return compress(answer)
