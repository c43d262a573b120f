"""Boards as PNG: for messengers, documents, and whatever draws no SVG."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.raster import png
from cartulary.service.api.game.boards_schema import PngQuery
from cartulary.service.api.game.table_pictures import (
    draw_table,
    must_be_installed,
    require_picture,
)
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import cache_for_a_day, revalidate, set_tag
from cartulary.service.http.conditions import is_known, name_shown
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.board_pictures import PictureKey
from cartulary.service.http.shared.costly_results import WaitingRequest
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.observer import HELD
from cartulary.service.http.wire.problems import invalid

blueprint = Blueprint("board_pngs", __name__)

PNG = "image/png"


@blueprint.get("/games/<game:game_id>/board.png")
@operation(
    "states",
    "The picture of the table in pixels",
    {
        200: AnswerOf("The picture.", media=(PNG,), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=PngQuery,
    refusals=("not_found", "not_installed", "busy"),
)
def show_board_png(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """The same picture as `board.svg`, painted once for each version.

    A process paints one picture at a time. Where too many requests wait for a picture the answer
    is 503 `busy`. A service without the extra `pictures` has none: 404 `not_installed`.
    """
    version: int | None = query.pop("version")
    table = find_table(services, game_id, who, version)
    wish = "-".join(str(query[name]) for name in sorted(query))
    key = PictureKey(table.id, name_shown(services, table), wish, lang)
    tag = f'W/"{key.shown}-png-{wish}-{lang}"'
    found = Response(status=304) if is_known(known, tag) else _find(services, table, key, query)
    if request.environ.get(HELD):
        return found
    caching = (revalidate if version is None else cache_for_a_day)(table.visibility)
    set_tag(found, tag, caching)
    found.vary.add("Authorization")
    return mark_language(found, lang)


def _find(services: Services, table: Table, key: PictureKey, query: dict[str, Any]) -> Response:
    """Return the picture, remembered or painted now, or a response that waits for its turn."""
    pictures = services.board_pictures
    painted = pictures.find(key)
    if painted is None:
        pictures.must_have_room()
        drawn = _draw(services, table, key.lang, query)
        if not pictures.take_turn():
            request.environ[HELD] = True
            return Response(WaitingRequest(pictures, key), direct_passthrough=True)
        painted = pictures.paint(key, drawn, query["width"], query["theme"])
    return Response(painted, mimetype=PNG)


def _draw(services: Services, table: Table, lang: str, query: dict[str, Any]) -> str:
    """Return the SVG to paint. Raises `Problem` 404 and 422."""
    picture = require_picture(services, table)
    must_be_installed(png.is_installed())
    wishes = {name: query[name] for name in ("layout", "colours", "parts")}
    drawn = draw_table(services, picture, table, lang, **wishes)
    try:
        png.find_height(drawn, query["width"])
    except png.TooLarge as error:
        raise invalid("/width", f"{error}; the widest picture is {error.widest}") from None
    return drawn
