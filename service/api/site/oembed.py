"""oEmbed 1.0 (oembed.com): how a page that has a link to a table may show the table."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.model.table import Table
from cartulary.pictures import share
from cartulary.raster.png import is_installed
from cartulary.service.api.game.table_pictures import must_be_installed
from cartulary.service.api.game.tables import name_seats
from cartulary.service.api.site.embeds import must_be_embeddable
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, not_found
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Dropping, Request, text, whole

blueprint = Blueprint("oembed", __name__)

WIDTH, HEIGHT = 640, 400
"""Of the frame, unless the page has less room."""
_MOST: Final = 2**31 - 1
_LONGEST: Final = 2000
_LEAST: Final = 200
"""The width of the smallest picture."""
_PORTS: Final = {"http": 80, "https": 443}
_PATHS: Final = re.compile(
    r"/games/(?P<table>[0-9A-Za-z]+)|/embed/games/(?P<embed>[0-9A-Za-z]+)"
    r"|/api/v1/games/(?P<png>[0-9A-Za-z]+)/board\.png"
)


class OembedQuery(Request):
    """What a page wants to show. Parameters that are unknown are ignored, as oEmbed asks for."""

    Meta = Dropping

    url = fields.String(load_default="", description="A link to a table or to its `board.png`.")
    maxwidth = whole(1, _MOST, text=True, load_default=_MOST, description="Pixels.")
    maxheight = whole(1, _MOST, text=True, load_default=_MOST, description="Pixels.")
    format = fields.String(
        load_default="json", description="Only `json`: any other is 501 `no_such_format`."
    )


class OembedAnswer(Answer):
    """A frame (`rich`) for a link to a table, a picture (`photo`) for a link to `board.png`."""

    type = text(validate=validate.OneOf(("rich", "photo")))
    version = text("`1.0`.")
    title = text()
    provider_name = text()
    provider_url = text()
    width = whole(1, required=True)
    height = whole(1, required=True)
    html = fields.String(description="Of `rich`.")
    url = fields.String(description="Of `photo`.")
    thumbnail_url = fields.String()
    thumbnail_width = whole(1)
    thumbnail_height = whole(1)


class _Link(NamedTuple):
    """A link to a table: where the service is, the table, and whether it is to its picture."""

    site: str
    game_id: str
    is_picture: bool


@blueprint.get("/oembed")
@operation(
    "service",
    "How to show a link to a table",
    {200: AnswerOf("The frame or the picture.", OembedAnswer)},
    query=OembedQuery,
    any_query=True,
    refusals=("not_found", "not_installed", "no_such_format"),
)
def show_oembed(services: Services, query: dict[str, Any], lang: str) -> Response:
    """For `/games/{id}`, `/embed/games/{id}` and `/api/v1/games/{id}/board.png` of this service.

    Private games and games that have not started are 404 `not_found`.
    """
    if query["format"] != "json":
        # As oEmbed asks for (2.3.3).
        raise Problem("no_such_format", "the only format is `json`")
    link = _read(services, query["url"])
    table = must_be_embeddable(services, link.game_id)
    about = {"version": "1.0", "title": _name(services, table, lang)}
    about |= {"provider_name": "Cartulary", "provider_url": f"{link.site}/"}
    make = _show_photo if link.is_picture else _show_rich
    answer = answer_json({**about, **make(link, about["title"], query)})
    answer.headers["Cache-Control"] = "no-store"
    return mark_language(answer, lang)


def _read(services: Services, url: str) -> _Link:
    """Return what a link leads to. Raises `Problem` 404 for a link to anywhere else.

    Without a public address the service does not know its own: then it is that of the request, but
    the link says whether it is reached by HTTPS.
    """
    public = services.settings.public_url
    here = urlsplit(public or f"{request.scheme}://{request.host}{request.root_path}")
    try:
        there = urlsplit(urljoin(request.host_url, url[:_LONGEST]))
        is_here = _name_host(there) == _name_host(here) and there.path.startswith(here.path)
    except ValueError:  # a bracket in the host, a port that is no number, a label that is too long
        is_here = False
    if not is_here or (found := _PATHS.fullmatch(there.path.removeprefix(here.path))) is None:
        raise not_found("a table of this service at this link")
    game_id = found["table"] or found["embed"] or found["png"]
    site = public or here._replace(scheme=there.scheme).geturl()
    return _Link(site, game_id, found["png"] is not None)


def _name_host(link: SplitResult) -> str | None:
    """Return host and port of a link as all spellings have them, None where it may lead elsewhere.

    Raises `ValueError`.
    """
    if link.scheme not in _PORTS or link.username is not None or not link.hostname:
        return None
    port = "" if link.port in (None, _PORTS[link.scheme]) else f":{link.port}"
    return f"{link.hostname.encode('idna').decode()}{port}"


def _name(services: Services, table: Table, lang: str) -> str:
    game = services.offers[table.game].words.terms(lang).get("title", table.game)
    return f"{game}: {', '.join(str(name) for name in name_seats(table, lang) if name)}"


def _show_rich(link: _Link, title: str, query: dict[str, Any]) -> dict[str, Any]:
    width, height = min(WIDTH, query["maxwidth"]), min(HEIGHT, query["maxheight"])
    source = escape(f"{link.site}/embed/games/{link.game_id}")
    html = (
        f'<iframe src="{source}" title="{escape(title)}" width="{width}" height="{height}"'
        ' style="border:0;max-width:100%" loading="lazy"'
        ' sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>'
    )
    thumbnail = _show_thumbnail(link, query)
    return {"type": "rich", "width": width, "height": height, "html": html, **thumbnail}


def _show_thumbnail(link: _Link, query: dict[str, Any]) -> dict[str, Any]:
    """Return a picture that fits into the room; none where the smallest does not."""
    width, height = _fit(query)
    if width < _LEAST or not is_installed():
        return {}
    return {
        "thumbnail_url": _locate(link, width),
        "thumbnail_width": width,
        "thumbnail_height": height,
    }


def _show_photo(link: _Link, _title: str, query: dict[str, Any]) -> dict[str, Any]:
    """Return the picture in the size that fits into the room; the file is no smaller than 200."""
    must_be_installed(is_installed())
    width, height = _fit(query)
    url = _locate(link, max(_LEAST, width))
    return {"type": "photo", "url": url, "width": width, "height": height}


def _fit(query: dict[str, Any]) -> tuple[int, int]:
    """Return width and height of the picture in the room that a page has."""
    width = min(share.WIDTH, query["maxwidth"], query["maxheight"] * share.WIDTH // share.HEIGHT)
    return max(1, width), max(1, width * share.HEIGHT // share.WIDTH)


def _locate(link: _Link, width: int) -> str:
    return f"{link.site}/api/v1/games/{link.game_id}/board.png?width={width}&layout=share"
