"""Films of games that are over: asked for here, made by a worker."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.analyses.asking import must_be_over
from cartulary.events.films.storage import DONE, FAILED, FilmWish, name_shown
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.raster.film import is_installed
from cartulary.service.api.game.table_pictures import must_be_installed, require_picture
from cartulary.service.api.game.tables import find_table
from cartulary.service.http.answers import answer_json, cache_for_a_day, set_tag
from cartulary.service.http.conditions import is_known, tag_content
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.costly_results import count_caller
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas.base import Answer, Request, text, whole

blueprint = Blueprint("films", __name__)

LIMIT: Final = "films"
RETRY_AFTER_S: Final = 2
BUSY_S: Final = 30
_LAST: Final = 2**31 - 1
_REFUSALS: Final = (
    *("not_found", "game_running", "game_not_running", "not_installed", "busy"),
    *("internal_error", "rate_limited"),
)


class FilmQuery(Request):
    """The choice of a film."""

    width = whole(200, 800, text=True, load_default=480, description="Pixels.")
    ms = whole(100, 5000, text=True, load_default=500, description="For each moment.")
    first = whole(
        *(1, _LAST),
        data_key="from",
        text=True,
        load_default=1,
        description="The version with which it begins.",
    )
    last = whole(
        *(1, _LAST),
        data_key="to",
        text=True,
        load_default=None,
        description="The version with which it ends; missing: the last.",
    )


class FilmWaits(Answer):
    """A film that is not made yet."""

    status = text("`queued`.")


def _answers(media: str) -> dict[int, AnswerOf]:
    return {
        200: AnswerOf("The film.", media=(media,), headers=("ETag",)),
        202: AnswerOf("A worker makes it: ask again.", FilmWaits, headers=("Retry-After",)),
        304: AnswerOf("It is what the client has."),
    }


@blueprint.get("/games/<game:game_id>/replay.webp")
@operation(
    "states",
    "The game as a film, WebP",
    _answers("image/webp"),
    query=FilmQuery,
    refusals=_REFUSALS,
)
def show_webp(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """Of a game that is over: 60 s and 4 MB at most, with the moments of most points if longer.

    A worker makes it after the first request, and until then the answer is 202 with `Retry-After`.
    It plays once, and the last picture stands. It is kept for 30 days.
    """
    table = find_over(services, game_id, who, query)
    return _show("webp", services, table, who, query, known, lang)


@blueprint.get("/games/<game:game_id>/replay.gif")
@operation(
    "states",
    "The game as a film, GIF",
    _answers("image/gif"),
    query=FilmQuery,
    refusals=_REFUSALS,
)
def show_gif(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """The same film for programs that show no animated WebP."""
    table = find_over(services, game_id, who, query)
    return _show("gif", services, table, who, query, known, lang)


def find_over(services: Services, game_id: str, who: Player | None, query: dict[str, Any]) -> Table:
    """Return a game that may have a film. Raises `NotFound`, `GameRunning`, `Problem` 404, 422."""
    table = find_table(services, game_id, who)
    require_picture(services, table)
    must_be_over(table)
    must_be_installed(is_installed())
    query["last"] = query["last"] or table.version
    # A film that ends before the start has no picture.
    require_picture(services, find_table(services, game_id, who, query["last"]))
    if query["first"] > query["last"]:
        raise invalid("/from", "the film would end before it begins")
    return table


def _show(
    kind: str,
    services: Services,
    table: Table,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    wish = FilmWish(kind, query["width"], query["ms"], query["first"], query["last"], lang)
    shown = name_shown(services.store.masks, table)
    films = services.store.films
    film = films.find(table.id, wish, shown)
    if film is not None and film.status == DONE:
        tag = tag_content(film.body)
        answer = Response(film.body, mimetype=f"image/{kind}")
        if is_known(known, tag):
            answer = Response(status=304)
        return mark_language(set_tag(answer, tag, cache_for_a_day(table.visibility)), lang)
    if film is not None and film.status == FAILED:
        raise Problem("internal_error", "the film could not be made; ask again in a minute")
    if film is None:
        _start(services, table, who, wish, shown)
    else:
        films.go_on_waiting(table.id, wish)
    headers = {"Retry-After": str(RETRY_AFTER_S), "Cache-Control": "no-store"}
    return answer_json({"status": "queued"}, 202, headers)


def _start(
    services: Services, table: Table, who: Player | None, wish: FilmWish, shown: str
) -> None:
    """Have a film made. Raises `Problem` 503 while too many films wait, 429."""
    if not services.store.films.has_room():
        detail = f"many films wait for a worker; retry in {BUSY_S} s"
        raise Problem("busy", detail, headers={"Retry-After": str(BUSY_S)})
    count_caller(services.limits, LIMIT, who and who.id)
    services.store.films.start(table.id, wish, shown)
